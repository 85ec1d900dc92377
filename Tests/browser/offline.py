"""Helpers for pages that work without a network, and the server of an office, which serves these pages and receives the calls of their app."""

import contextlib
import functools
import http.server
import json
import posixpath
import threading

from kept import stored
from serving import ROOT

EXAMPLE = ROOT / "examples/offline-web"


class Office(http.server.SimpleHTTPRequestHandler):
    """
    Serves the files of the example, those of the client at /cairn-client/, and `answers` as JSON. `release` changes the content of the page and of the worker.
    `got` has the path and the body of each POST request.
    """

    def translate_path(self, path):
        name = path.split("?")[0]
        if name.startswith("/cairn-client/"):
            return str(ROOT / "clients/javascript/src") + posixpath.normpath("/" + name.removeprefix("/cairn-client/"))
        return super().translate_path(path)

    def do_GET(self):
        name = self.path.split("?")[0]
        if name in self.server.answers:
            return self.send("application/json", json.dumps(self.server.answers[name]).encode())
        if name in self.server.pages:
            return self.send("text/html", self.server.pages[name])
        if name in ("/", "/worker.js"):
            file = EXAMPLE / ("index.html" if name == "/" else "worker.js")
            return self.send("text/html" if name == "/" else "text/javascript", self.server.release(file.read_bytes()))
        return super().do_GET()

    def do_POST(self):
        self.server.got.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        self.send("application/json", b"{}")

    def send(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(pages=None, answers=None):
    """A server of the example or, with `pages`, of other pages with its worker."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Office, directory=EXAMPLE)) as server:
        server.pages, server.answers = pages or {}, answers or {}
        server.got, server.release = [], lambda content: content
        server.host = f"127.0.0.1:{server.server_port}"
        server.url = f"http://{server.host}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


READ_ID = """async () => {
  const { sessions } = await import("/cairn-client/index.js");
  return (await sessions({ baseURL: new URLSearchParams(location.search).get("service") }))[0].id;
}"""


def wait_until_kept(page):
    """
    Waits until the browser has all that a later load needs without a network: the page in the worker's cache, and the session with the engine in the client's
    storage. Returns the session.
    """
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    stored(page, "kept?.replica !== undefined && ['engine ', 'definition ', 'app '].every((name) => keys.some((key) => key.startsWith(name)))")
    return {"id": page.evaluate(READ_ID)}


def reload_offline(page, waiting):
    """Loads the page again without a network, as soon as all waiting actions are stored."""
    stored(page, f"kept.pending.length === {waiting}")
    page.reload()
    assert page.evaluate("navigator.onLine") is False
    # No request leaves the page: the worker has none of these files.
    assert page.evaluate("fetch('/not-kept').then(() => 'sent', () => 'not sent')") == "not sent"


def performed(service, session):
    """The actions in the session's history, in order."""
    entries = service.ask("GET", f"/v1/sessions/{session['id']}/history?after=1&limit=1000")["entries"]
    return [entry["action"].get("step") or entry["action"]["type"] for entry in entries]
