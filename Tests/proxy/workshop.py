"""Cairn and nginx, each on free ports of 127.0.0.1, with all their files in temporary folders."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAIRN = pathlib.Path(os.environ.get("CAIRN", ROOT / ".build/debug/cairn"))
KEY = "the-operators-key-of-a-test"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(condition, what, seconds=30):
    """Polls until the condition is true or the deadline has passed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


@contextlib.contextmanager
def folder():
    path = pathlib.Path(tempfile.mkdtemp(prefix="cairn-proxy-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def cairn(place, *arguments):
    """A running service. Yields its port and the path of its log."""
    out, log = place / "cairn.out", place / "cairn.log"
    command = [CAIRN, "serve", "--port", "0", "--database", place / "cairn.sqlite", "--apps", ROOT / "config/apps", *arguments]
    with open(out, "w") as said, open(log, "w") as logged:
        process = subprocess.Popen(command, stdout=said, stderr=logged, env={**os.environ, "CAIRN_OPERATOR_KEY": KEY}, cwd=place)
    with ended(process):
        found = wait_for(lambda: re.search(r"listens on http://127\.0\.0\.1:(\d+)", out.read_text()), log.read_text())
        yield int(found[1]), log


def certificate(place):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=cairn.example",
         "-addext", "subjectAltName=DNS:cairn.example", "-keyout", place / "privkey.pem", "-out", place / "fullchain.pem"],
        check=True, capture_output=True)


@contextlib.contextmanager
def nginx(place, upstream):
    """The shipped snippet in a real nginx, with only ports and paths inserted. Yields its ports for TLS and for plain HTTP."""
    secure, plain = free_port(), free_port()
    certificate(place)
    text = (ROOT / "packaging/nginx/cairn.conf").read_text()
    for old, new in [
        ("server 127.0.0.1:8080;", f"server 127.0.0.1:{upstream};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{secure} ssl http2;"), ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("    listen [::]:80;\n", ""),
        ("/etc/ssl/cairn/", f"{place}/"),
    ]:
        assert old in text, f"the snippet has no {old}"
        text = text.replace(old, new)
    (place / "cairn.conf").write_text(text)
    temporary = "".join(f"{kind}_temp_path {place}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (place / "nginx.conf").write_text(
        # If nginx is started by root, its workers run as the user nobody, which could not read the folder.
        f"{'user root;' if os.getuid() == 0 else ''} daemon off; pid {place}/nginx.pid; error_log {place}/error.log info; worker_processes 1;\n"
        f"events {{ worker_connections 256; }}\n"
        f"http {{ access_log {place}/access.log; {temporary} include {place}/cairn.conf; }}\n")
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    command = [program, "-p", place, "-c", place / "nginx.conf", "-e", place / "error.log"]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def listens():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", secure), 1):
            return True

    with ended(process):
        wait_for(listens, "nginx")
        yield secure, plain


class Site:
    """The site as a client sees it, with its name and certificate."""

    def __init__(self, place, port):
        self.port = port
        self.context = ssl.create_default_context(cafile=place / "fullchain.pem")

    def connect(self):
        return self.context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 20), server_hostname="cairn.example")

    def send(self, method, path, body=None, bearer=None, **headers):
        """Sends one request on a new connection. Returns status, headers (in lower case) and body."""
        with self.connect() as link:
            link.sendall(self.head(method, path, body, bearer, headers))
            data = b""
            while part := link.recv(65536):
                data += part
        head, _, rest = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = dict((name.lower(), value) for name, value in (line.split(": ", 1) for line in lines[1:]))
        return int(lines[0].split()[1]), fields, rest

    def head(self, method, path, body=None, bearer=None, headers=None):
        fields = {"Host": "cairn.example", "Connection": "close", **{name.replace("_", "-"): value for name, value in (headers or {}).items()}}
        if bearer:
            fields["Authorization"] = f"Bearer {bearer}"
        if body is not None:
            fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        return (f"{method} {path} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields.items()) + "\r\n").encode() + (body or b"")
