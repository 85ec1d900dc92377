"""A bank on a free port of 127.0.0.1. It performs each Idempotency-Key once, counts the deliveries of each key, and fails some of them."""

import http.server
import json
import threading
import time

# The shares of the orders by their first words, in percent. The word selects the response to the first delivery of a header. The response to every later
# delivery is the receipt or, for a refused header, 402 again.
#   plain: acts and responds    slow: acts and responds late    busy: responds with 503 before it acts
#   torn: acts and closes the connection without a response     broken: closes the connection before it acts
#   failed: acts and responds with 500, which leaves the outcome open
#   refused: responds with 402 to the first header of the order, and accepts the next one    denied: responds with 402 to every header
KINDS = {"plain": 60, "slow": 8, "busy": 8, "torn": 6, "broken": 4, "failed": 5, "refused": 5, "denied": 4}


class Account:
    """The deliveries of an order."""

    def __init__(self, place):
        # The position of the order among all orders, in the order of their first deliveries.
        self.place = place
        # The number of deliveries by header, in the order of the first deliveries.
        self.deliveries = {}
        # The receipts by header, and the refused headers.
        self.receipts, self.refused = {}, set()
        # The number of deliveries whose response left the outcome open.
        self.unclear = 0


class Bank:
    """Listens until the block that uses it ends. Calls `moment` when a delivery has arrived, and again before the response."""

    def __init__(self, chance, moment=lambda: None):
        self.chance, self.moment = chance, moment
        self.lock, self.accounts, self.payments, self.unanswered = threading.Lock(), {}, 0, 0
        bank = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Handles one connection of the service."""

            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with bank.lock:
                    bank.unanswered += 1
                try:
                    self.reply(*bank.take(body["order"], self.headers["Idempotency-Key"]))
                except OSError:
                    # The service was killed during the call.
                    self.close_connection = True
                finally:
                    with bank.lock:
                        bank.unanswered -= 1

            def reply(self, status, answer, delay):
                bank.moment()
                time.sleep(delay)
                bank.moment()
                if status is None:
                    self.close_connection = True
                    return
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            """Does not print the connections that a killed service has broken."""

            daemon_threads, request_queue_size = True, 1024

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self, order, header):
        """Handles a delivery. Returns the status (None for a broken connection), the body, and the delay of the response in seconds."""
        kind = order.partition("-")[0]
        with self.lock:
            account = self.accounts.setdefault(order, Account(len(self.accounts)))
            is_first = header not in account.deliveries
            account.deliveries[header] = account.deliveries.get(header, 0) + 1
            if header in account.refused or is_first and (kind == "denied" or kind == "refused" and not account.refused):
                account.refused.add(header)
                return 402, {"error": "refused"}, 0
            if is_first and kind in ("busy", "broken"):
                account.unclear += 1
                return 503 if kind == "busy" else None, {}, 0
            if header not in account.receipts:
                self.payments += 1
                account.receipts[header] = self.payments
            if is_first and kind in ("failed", "torn"):
                account.unclear += 1
                return 500 if kind == "failed" else None, {}, 0
            return 201, {"number": account.receipts[header]}, self.chance.uniform(0.02, 0.4) if kind == "slow" else 0


def app(name, port):
    """A definition that counts the results of the messages to the bank in the content of its home screen, by key. The step
    `moved` removes the screen that has called."""
    return f"""
app: {name}
language: 1
compat: {{ emits: any }}
allowHosts: ["127.0.0.1:{port}"]
root: {{ flow: main, start: opened }}
screens: {{ home: {{}}, desk: {{}} }}
steps:
  opened: {{}}
  moved: {{}}
  pay: {{ key: string }}
  paid: {{ key: string, number: integer }}
  failed: {{ key: string, status: {{ type: integer, default: 0 }} }}
flows:
  main:
    stack: {{ screen: home, content: {{ paid: {{}}, numbers: {{}}, refused: {{}}, unknown: {{}} }} }}
    handle:
      opened: {{ push: desk }}
      moved: {{ replace: desk }}
      pay:
        submit:
          post: "http://127.0.0.1:{port}/payments"
          key: $key
          body: {{ order: $key }}
          timeout: 1m
          retry: {{ count: 10, backoff: 100ms }}
          then: {{ step: paid, with: {{ key: $key, number: $result.number }} }}
          else: {{ step: failed, with: {{ key: $key, status: $error.status }} }}
      paid: {{ content: {{ paid.$key: {{ add: 1 }}, numbers.$key: $number }}, of: home }}
      failed:
        - {{ when: {{ param: status, is: 402 }}, do: {{ content: {{ refused.$key: {{ add: 1 }} }}, of: home }} }}
        - {{ do: {{ content: {{ unknown.$key: {{ add: 1 }} }}, of: home }} }}
"""
