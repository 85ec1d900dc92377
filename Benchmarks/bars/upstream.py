"""An upstream on a free port of 127.0.0.1: either one that reads requests and never responds, or one that responds at once."""

import socket
import threading


class Upstream:
    """Counts the received requests. Connections stay open until the block that uses the upstream ends."""

    def __init__(self, answer=None):
        self.answer = answer
        self.requests, self.came = 0, threading.Condition()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.connections = []

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        self.connections.append(connection)
        try:
            while connection.recv(65_536):
                with self.came:
                    self.requests += 1
                    self.came.notify_all()
                if self.answer is not None:
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(self.answer)}\r\n\r\n"
                    connection.sendall(head.encode() + self.answer)
        except OSError:
            pass

    def wait(self, count, seconds=60):
        """Whether `count` requests have arrived within `seconds`."""
        with self.came:
            return self.came.wait_for(lambda: self.requests >= count, seconds)

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.connections:
            connection.close()


def app(name, port):
    """A definition whose step `fetch` starts a load from a port of this machine, with the longest allowed timeout."""
    return f"""
app: {name}
language: 1
compat: {{ emits: any }}
allowHosts: ["127.0.0.1:{port}"]
root: {{ flow: main }}
screens: {{ home: {{}} }}
steps: {{ fetch: {{}} }}
flows:
  main:
    stack: home
    handle:
      fetch: {{ load: {{ get: "http://127.0.0.1:{port}/", timeout: 10m }} }}
"""
