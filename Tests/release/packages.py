"""Packages built from the program of CAIRN, and a bare Debian to install them in."""

import contextlib
import functools
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAIRN = pathlib.Path(os.environ.get("CAIRN", ROOT / ".build/release/cairn"))
VERSION = (ROOT / "VERSION").read_text().strip()
ENGINE = ROOT / ".build/engine"
EPOCH = "1767225600"


@contextlib.contextmanager
def folder():
    path = pathlib.Path(tempfile.mkdtemp(prefix="cairn-release-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def run(*command, **more):
    """The output of a command, which must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def packed(kind, place, *more):
    """The path of a package that scripts/release-KIND writes into a folder."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "CAIRN_SCRATCH": str(CAIRN.resolve().parents[2])}
    out = run(ROOT / f"scripts/release-{kind}", CAIRN, ENGINE, place, *more, env=environment)
    return pathlib.Path(out.strip().splitlines()[-1])


def unpacked(tarball, place):
    """The folder in a tarball."""
    place.mkdir(exist_ok=True)
    run("tar", "--zstd", "-xf", tarball, "-C", place)
    (root,) = place.iterdir()
    return root


class Service:
    """A service that listens; ended by SIGTERM. A thread reads its output, so that the service never waits for a full pipe."""

    def __init__(self, command, seconds=60, **more):
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
        self.said, self.changed, self.is_open = "", threading.Condition(), True
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        try:
            self.port = int(self.wait(r"listens on http://[^\s:]+:(\d+)", seconds)[1])
        except AssertionError:
            self.process.kill()
            raise

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.said += line
                self.changed.notify_all()
        with self.changed:
            self.is_open = False
            self.changed.notify_all()

    def wait(self, pattern, seconds=60):
        """The first match of a pattern in the output."""
        with self.changed:
            self.changed.wait_for(lambda: re.search(pattern, self.said) or not self.is_open, seconds)
            found = re.search(pattern, self.said)
            assert found, f"no line \"{pattern}\" within {seconds} s: {self.said[-4000:]}"
            return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.reader.join(timeout=30)

    def client(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)


def ask(client, method, path, body=None, token=None):
    """The JSON of a response, which must be a success."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    client.request(method, path, json.dumps(body) if body is not None else None, headers)
    response = client.getresponse()
    text = response.read()
    assert response.status < 300, f"{method} {path}: {response.status} {text.decode()}"
    return json.loads(text) if text else None


@functools.cache
def base():
    """A Debian with nothing but its required packages, made once."""
    path = pathlib.Path(os.environ.get("CAIRN_BASE", ROOT / ".build/debian"))
    if not (path / "made").exists():
        shutil.rmtree(path, ignore_errors=True)
        run("debootstrap", "--variant=minbase", "bookworm", path)
        (path / "made").touch()
    return path


class Bare:
    """A copy of the bare Debian. /proc exists only within `proc`."""

    def __init__(self, place):
        self.root = place / "debian"
        run("cp", "-a", base(), self.root)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")

    def command(self, *command, user=None):
        return ["chroot", *([f"--userspec={user}:{user}"] if user else []), str(self.root),
                "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "DEBIAN_FRONTEND=noninteractive", *map(str, command)]

    def run(self, *command, user=None):
        return run(*self.command(*command, user=user))

    @contextlib.contextmanager
    def proc(self):
        run("mount", "-t", "proc", "proc", self.root / "proc")
        try:
            yield
        finally:
            run("umount", self.root / "proc")

    def unit(self):
        """The command and the variables of the installed unit, with the credential that systemd would pass."""
        text = (self.root / "lib/systemd/system/cairn.service").read_text()
        credentials = self.root / "run/credentials"
        credentials.mkdir(parents=True, exist_ok=True)
        for name, path in re.findall(r"^LoadCredential=(\w+):(\S+)$", text, re.M):
            shutil.copy(self.root / path[1:], credentials / name)
            shutil.chown(credentials / name, *self.owner())
        variables = [part.replace("%d", "/run/credentials") for line in re.findall(r"^Environment=(.+)$", text, re.M) for part in line.split()]
        return variables, re.search(r"^ExecStart=(.+)$", text, re.M)[1].split(), re.search(r"^User=(\w+)$", text, re.M)[1]

    def owner(self):
        line = next(line for line in (self.root / "etc/passwd").read_text().splitlines() if line.startswith("cairn:"))
        return int(line.split(":")[2]), int(line.split(":")[3])

    def service(self):
        """The service as the unit runs it, on a free port."""
        variables, command, user = self.unit()
        return Service(self.command("env", "-C", "/var/lib/cairn", *variables, *command, "--port", "0", user=user))
