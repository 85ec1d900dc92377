"""A service for tests, on a free port and with a database in a temporary folder."""

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

KEY = "a-key-for-the-browser-tests"
ROOT = Path(__file__).resolve().parents[2]


class Service:
    def __init__(self, *flags, apps=None):
        self.folder = tempfile.TemporaryDirectory(prefix="cairn-browser-")
        self.flags = flags
        self.apps = apps or ROOT / "config/apps"
        self.port = 0
        self.start()

    def start(self):
        program = os.environ.get("CAIRN", str(ROOT / ".build/debug/cairn"))
        command = [program, "serve", "--port", str(self.port), "--apps", str(self.apps), "--log-level", "warning",
                   "--database", f"{self.folder.name}/cairn.sqlite", *self.flags]
        environment = {**os.environ, "CAIRN_OPERATOR_KEY": KEY}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = self._address()
        self.port = int(self.url.rsplit(":", 1)[1])

    def _address(self, within=60):
        """The URL of the service, read from its first output."""
        output, text, end = self.process.stdout, b"", time.monotonic() + within
        with selectors.DefaultSelector() as waiting:
            waiting.register(output, selectors.EVENT_READ)
            while time.monotonic() < end:
                if not waiting.select(timeout=1):
                    continue
                part = os.read(output.fileno(), 4096)
                text += part
                found = re.search(rb"listens on (http://\S+)\n", text)
                if found:
                    return found[1].decode()
                if not part:
                    break
        raise AssertionError(f"the service did not start: {text.decode()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()

    def ask(self, method, path, body=None, key=KEY):
        """The JSON of a response, also of a rejection."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        if key:
            request.add_header("Authorization", f"Bearer {key}")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                raw = answer.read()
        except urllib.error.HTTPError as refusal:
            raw = refusal.read()
        return json.loads(raw) if raw else None

    def put(self, app, definition):
        """Publishes a definition as an operator, and returns the response."""
        return self.ask("PUT", f"/v1/apps/{app}", {"app": app, "language": 1, **definition})

    def session(self, app, **more):
        return self.ask("POST", "/v1/sessions", {"app": app, **more})

    def act(self, session, action):
        return self.ask("POST", f"/v1/sessions/{session['id']}/actions", action)
