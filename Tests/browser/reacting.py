"""Serves a page with React, and the files of the client, to a browser."""

import contextlib
import functools
import http.server
import pathlib
import threading

import pytest
from serving import ROOT

# The module `react` for the client. It exports the functions of the same React that the build of React DOM uses.
REACT = b"export const { createContext, createElement, memo, useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore } = globalThis.React;"


def umd(name):
    """A development build of React as Debian packages it."""
    for folder in ("/usr/share/nodejs", "/usr/lib/nodejs"):
        for path in pathlib.Path(folder, name, "umd").glob(f"{name}.development.js"):
            return path.read_bytes()
    pytest.skip(f"{name} has no build for pages here")


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves the client's files, React's files, and one page."""

    def do_GET(self):
        made = {
            "/": lambda: self.server.page, "/react.js": lambda: REACT,
            "/modules/react.js": lambda: umd("react"), "/modules/react-dom.js": lambda: umd("react-dom"),
        }
        if self.path not in made:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/javascript")
        self.end_headers()
        self.wfile.write(made[self.path]())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(page):
    """Starts a server for this page. Yields its address."""
    handler = functools.partial(Site, directory=ROOT / "clients/javascript")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.page = page
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
