"""A service for these tests, and a proxy that keeps its sessions."""

import http.server
import json
import os
import re
import subprocess
import threading
import urllib.error
import urllib.request

# These keys protect only the recorded samples.
OPERATOR, SECRET, FILE = "the-operator-of-the-samples", "c" * 43 + "=", "g" * 43 + "="
MEDIA = "application/vnd.cairn.session+jsonl"


def program():
    return os.environ["CAIRN"]


class Service:
    """Serves a database on a free port. Use it with `with`, which stops it."""

    def __init__(self, folder, apps, database="cairn.sqlite"):
        self.folder = folder
        environment = {**os.environ, "CAIRN_OPERATOR_KEY": OPERATOR, "CAIRN_SECRET_KEY": SECRET, "CAIRN_LOG_LEVEL": "error"}
        self.log = open(folder / "log.txt", "ab")
        self.process = subprocess.Popen(
            [program(), "serve", "--port", "0", "--database", str(folder / database), "--apps", str(apps), "--predict", "*"],
            env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=self.log, text=True)
        # The first lines of the output contain the address.
        found = next((re.search(r"http://127\.0\.0\.1:(\d+)", line) for line in self.process.stdout if "http://" in line), None)
        assert found, (folder / "log.txt").read_text()
        self.url = found.group()
        # Reads the rest, so that the pipe is never full.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()

    def ask(self, method, path, body=None, **headers):
        """Returns the status and the bytes of a response to the operator. A body that is not bytes is sent as JSON."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        names = {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"}
        names.update({name.replace("_", "-"): value for name, value in headers.items() if value is not None})
        request = urllib.request.Request(self.url + path, body, names, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def get(self, path, body=None, method=None, **headers):
        """Returns the JSON of a successful response."""
        status, text = self.ask(method or ("GET" if body is None else "POST"), path, body, **headers)
        assert status in (200, 201), f"{path}: {status} {text[:400]}"
        return json.loads(text)

    def take(self, file, key=None):
        """Imports a session, and returns the response."""
        return self.get("/v1/sessions/import", file, Content_Type=MEDIA, Session_File_Key=key)

    def export(self, session, key=None):
        status, text = self.ask("POST", f"/v1/sessions/{session}/export", {"key": key} if key else {})
        assert status == 200, text
        return text

    def sessions(self):
        """Returns the ids of all sessions."""
        found, path = [], "/v1/sessions?limit=1000"
        while path:
            page = self.get(path)
            found += [one["id"] for one in page["sessions"]]
            path = page.get("next")
        return found


class Keeping(http.server.BaseHTTPRequestHandler):
    """Passes each request to a service, but ends no session."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        if self.command == "DELETE":
            status, text, headers = 204, b"", {}
        else:
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "content-length")}
            request = urllib.request.Request(self.server.target + self.path, body, headers, method=self.command)
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    status, text, headers = response.status, response.read(), response.headers
            except urllib.error.HTTPError as error:
                status, text, headers = error.code, error.read(), error.headers
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "date", "server", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


def keeping(service):
    """Starts a proxy in front of a service, in which the sessions of `cairn test --against` stay. Returns the server."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keeping)
    server.target = service.url
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
