"""Runs the commands of a page as a reader would, in an empty folder and in order, and compares their output with the page.

A page marks its parts:
- A block whose fence has a name after its language (```yaml app.yaml): the reader saves the block under that name.
- A ```console block: a line that begins with `$ ` is a command, the lines below it are its whole output. In them `…` matches any text of one
  line, a first or last line `…` any number of lines, and the seconds of a duration may differ. A command without output must succeed.
- `cairn serve` and `python3 -m http.server` keep running. Their output is compared until they listen.
"""

import os
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAIRN = Path(os.environ.get("CAIRN", ROOT / ".build/debug/cairn"))
FENCE = re.compile(r"^```(?P<language>\w*)(?: (?P<name>\S+))?\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = 60


@dataclass
class File:
    name: str
    text: str


@dataclass
class Command:
    line: str
    output: str


def parts(page):
    """Yields the files and commands of a page, in order."""
    for fence in FENCE.finditer(page):
        if fence["name"]:
            yield File(fence["name"], fence["body"])
        elif fence["language"] == "console":
            assert fence["body"].startswith("$ "), f"a console block begins with a command: {fence['body']}"
            for part in re.split(r"^\$ ", fence["body"], flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                yield Command(line, output.strip())


def matches(expected, found):
    """Whether an output matches the output that a page shows."""
    pattern = re.escape(expected)
    pattern = re.sub(r"^…\\\n", r"(?:.*\n)*", pattern, flags=re.MULTILINE)
    pattern = re.sub(r"\\\n…$", r"(?:\n.*)*", pattern).replace("…", ".*")
    pattern = re.sub(r"\d+\\\.\d+\\ s\b", r"\\d+\\.\\d+\\ s", pattern)
    return re.fullmatch(pattern, found) is not None


class Server:
    """A command that keeps running, such as `cairn serve`, with its output so far."""

    def __init__(self, line, environment, folder):
        self.text = ""
        # A shell's background job ignores Ctrl-C, and so do its child processes.
        heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {line}"], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=heed)

    def read_until(self, pattern):
        """The first match of a pattern in the output."""
        end = time.monotonic() + SECONDS
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            while not (found := re.search(pattern, self.text)):
                assert time.monotonic() < end, f"no {pattern} in: {self.text}"
                if waiting.select(timeout=1):
                    read = os.read(self.process.stdout.fileno(), 4096)
                    assert read, f"ended without {pattern}: {self.text}"
                    self.text += read.decode()
        return found

    def stop(self):
        """Interrupts the command, as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=SECONDS)
        self.process.stdout.close()


class Walkthrough:
    """The folder and the terminals of a reader. Ports of the page are replaced by free ones: a server listens on port 0 first, and keeps that port."""

    SERVERS = {"cairn serve": ("8080", r"listens on http://127\.0\.0\.1:(\d+)\n"), "python3 -m http.server": ("3000", r" port (\d+) ")}

    def __init__(self):
        self.home = Path(tempfile.mkdtemp(prefix="cairn-page-"))
        self.folder = self.home / "empty"
        self.folder.mkdir()
        clone = self.home / "cairn"
        (clone / ".build/release").mkdir(parents=True)
        (clone / ".build/release/cairn").symlink_to(CAIRN)
        for name in ("clients", "config", "examples"):
            (clone / name).symlink_to(ROOT / name)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("CAIRN", "XDG_"))}
        self.environment |= {"HOME": str(self.home), "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
        self.environment["PATH"] = f"{clone / '.build/release'}:{self.environment['PATH']}"
        self.ports, self.servers = {}, {}
        # The current folder and the variables of the shell persist from one command to the next.
        self.state = self.home / "shell"
        self.state.write_text(f"cd '{self.folder}'\n")

    def close(self):
        for server in self.servers.values():
            server.stop()
        shutil.rmtree(self.home)

    def walk(self, page):
        """Runs everything on the page, and returns the number of commands."""
        count = 0
        for part in parts(page):
            if isinstance(part, File):
                (self.where() / part.name).write_text(self.with_ports(part.text))
                continue
            count += 1
            code, found = self.run(part.line)
            assert matches(part.output, found), f"$ {part.line}\nthe page shows:\n{part.output}\nand it printed:\n{found}"
            assert part.output or code == 0, f"$ {part.line}\nexited with {code}"
        return count

    def run(self, line):
        """Runs one command. Returns its exit code, and its output with the ports of the page."""
        for name, (port, announced) in self.SERVERS.items():
            if line.startswith(name):
                return 0, self.serve(line, name, port, announced)
        script = f". '{self.state}'\n{self.with_ports(line)}\ncode=$?; {{ export -p; echo \"cd '$PWD'\"; }} >'{self.state}'; exit $code"
        done = subprocess.run(
            ["bash", "-c", script], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
        return done.returncode, self.without_ports(done.stdout.strip())

    def serve(self, line, name, port, announced):
        """Starts a server, after stopping one of the same name. Returns its output until it listens."""
        if name in self.servers:
            self.servers.pop(name).stop()
        own = self.ports.get(port, "0")
        line = self.with_ports(line)
        line = f"{line} --port {own}" if name == "cairn serve" else line.replace(f" {port}", f" {own}")
        server = self.servers[name] = Server(line, self.environment, self.where())
        self.ports[port] = server.read_until(announced)[1]
        if port == "8080":
            self.environment["CAIRN_URL"] = f"http://127.0.0.1:{self.ports[port]}"
        return self.without_ports(server.text.strip()) if name == "cairn serve" else ""

    def where(self):
        """The current folder of the reader's terminal."""
        return Path(re.findall(r"^cd '(.*)'$", self.state.read_text(), re.MULTILINE)[-1])

    def with_ports(self, text):
        for page, own in self.ports.items():
            text = text.replace(f"127.0.0.1:{page}", f"127.0.0.1:{own}")
        return text

    def without_ports(self, text):
        for page, own in self.ports.items():
            text = text.replace(f"127.0.0.1:{own}", f"127.0.0.1:{page}")
        return text
