"""The container image of a release: what it declares, and how it runs in runc. Requires root and `scripts/install-needed image`.

CAIRN_IMAGE names the archive. Without it, the archive is built from .build/release/cairn and .build/engine, which takes minutes."""

import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import urllib.request

import pytest

pytestmark = pytest.mark.skipif(os.environ.get("CAIRN_LONG") != "1", reason="takes minutes: set CAIRN_LONG=1")

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
KEY = "the-operators-key-of-a-test"
USER = 10001
DATA = "/var/lib/cairn"
# The stop delay of the image, and the longest time that a stop takes after it.
STOP = 5 + int(re.search(r"`stopDelay` plus (\d+) s", (ROOT / "docs/operations.md").read_text())[1])


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    if "CAIRN_IMAGE" in os.environ:
        return pathlib.Path(os.environ["CAIRN_IMAGE"]).resolve()
    folder = tmp_path_factory.mktemp("image")
    subprocess.run([ROOT / "scripts/release-image", ROOT / ".build/release/cairn", ROOT / ".build/engine", folder], check=True)
    [archive] = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def bundle(archive, tmp_path_factory):
    """The image as a runtime unpacks it: config.json, and the root file system in rootfs/."""
    place = tmp_path_factory.mktemp("bundle")
    layout = place / "layout"
    layout.mkdir()
    subprocess.run(["tar", "--extract", "--file", archive, "--directory", layout], check=True)
    subprocess.run(["umoci", "unpack", "--image", f"{layout}:cairn:{VERSION}", place / "unpacked"], check=True, capture_output=True)
    return place / "unpacked"


class Container:
    """One run of the image in runc: without capabilities, on a read-only root file system, with a folder of this machine as its volume. It has the network of
    this machine, and a free port. Without arguments it runs the command of the image."""

    def __init__(self, bundle, data, *arguments):
        self.place, self.name = data.parent, f"cairn-test-{os.getpid()}"
        config = json.loads((bundle / "config.json").read_text())
        config["root"] = {"path": str(bundle / "rootfs"), "readonly": True}
        config["linux"]["namespaces"] = [space for space in config["linux"]["namespaces"] if space["type"] != "network"]
        volume = {"destination": DATA, "type": "bind", "source": str(data), "options": ["bind", "rw"]}
        config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] != DATA] + [volume]
        process, own = config["process"], {"CAIRN_HOST": "127.0.0.1", "CAIRN_PORT": "0", "CAIRN_OPERATOR_KEY": KEY}
        process["env"] = [item for item in process["env"] if item.split("=")[0] not in own] + [f"{name}={value}" for name, value in own.items()]
        process |= {"terminal": False, "capabilities": {}, "args": ["cairn", *arguments] if arguments else process["args"]}
        (self.place / "config.json").write_text(json.dumps(config))
        self.process = subprocess.Popen(self.runc("run", "--no-new-keyring", "--bundle", self.place, self.name), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines, self.said = queue.Queue(), ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        # No line of the output is empty, so an empty text marks its end.
        self.lines.put("")

    def runc(self, *arguments):
        return ["runc", "--root", self.place / "runc", *arguments]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(self.runc("delete", "--force", self.name), capture_output=True)
        self.process.wait(30)

    def line(self, pattern):
        """Waits at most 60 s for a line of output, and returns its match."""
        while not (found := re.search(pattern, self.said)):
            try:
                line = self.lines.get(timeout=60)
            except queue.Empty:
                line = ""
            assert line, f"no line {pattern} in: {self.said}"
            self.said += line
        return found

    def end(self):
        """Waits for the end, within the time that a stop may take. Returns the exit code."""
        code = self.process.wait(STOP)
        while line := self.lines.get(timeout=STOP):
            self.said += line
        return code

    def stop(self):
        subprocess.run(self.runc("kill", self.name, "TERM"), check=True)
        return self.end()


class Service(Container):
    """A run that serves."""

    def __enter__(self):
        try:
            self.address = self.line(r"listens on (http://127\.0\.0\.1:\d+)")[1]
        except BaseException:
            self.__exit__()
            raise
        return self

    def send(self, path, body=None):
        """Sends a GET, or a POST with a body. Returns the status and the JSON of the response."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())


@pytest.fixture
def data(tmp_path):
    """An empty volume that belongs to the user of the image."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    os.chown(folder, USER, USER)
    return folder


def test_the_image_declares_its_user_command_port_volume_and_labels(archive, bundle, data):
    shown = subprocess.run(["skopeo", "inspect", "--config", f"oci-archive:{archive}"], check=True, capture_output=True, text=True).stdout
    config = json.loads(shown)["config"]
    assert (config["User"], config["Entrypoint"], config["Cmd"]) == (str(USER), ["cairn"], ["serve", "--config", "/etc/cairn/cairn.yaml"])
    assert (list(config["ExposedPorts"]), list(config["Volumes"]), config["StopSignal"]) == (["8080/tcp"], [DATA], "SIGTERM")
    with Container(bundle, data, "--version") as container:
        assert container.end() == 0
    version, commit = re.fullmatch(r"(\S+)(?: \((\S+)\))?\n", container.said).groups()
    labels = {name.removeprefix("org.opencontainers.image."): value for name, value in config["Labels"].items()}
    assert labels == {"title": "Cairn", "licenses": "Apache-2.0", "version": version, "revision": commit or ""} and version == VERSION


def test_the_folder_of_the_volume_is_empty_and_belongs_to_the_user(bundle):
    folder = bundle / f"rootfs{DATA}"
    status = folder.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (USER, USER, 0o700)
    assert not any(folder.iterdir())


def test_a_session_survives_the_stop_of_its_container(bundle, data):
    with Service(bundle, data) as service:
        # As the health check of the Dockerfile.
        subprocess.run(service.runc("exec", service.name, "curl", "--fail", "--silent", f"{service.address}/readyz"), check=True, capture_output=True)
        state = json.loads(subprocess.run(service.runc("state", service.name), check=True, capture_output=True, text=True).stdout)
        status = pathlib.Path(f"/proc/{state['pid']}/status").read_text()
        assert re.search(r"^Uid:\t(.*)$", status, re.M)[1].split() == re.search(r"^Gid:\t(.*)$", status, re.M)[1].split() == [str(USER)] * 4
        code, made = service.send("/v1/sessions", {"app": "shop"})
        assert code == 201 and made["tree"]
        assert service.stop() == 0, service.said
    assert {path.stat().st_uid for path in data.iterdir()} == {USER} and (data / "cairn.sqlite").exists()
    with Service(bundle, data) as service:
        code, found = service.send(f"/v1/sessions/{made['id']}")
        assert (code, found["tree"]) == (200, made["tree"])
        assert service.stop() == 0, service.said


@pytest.mark.parametrize("arguments", [[], ["serve", "--check"]], ids=["serve", "check"])
def test_a_volume_of_root_is_refused_with_its_owner_and_the_remedy(bundle, data, arguments):
    os.chown(data, 0, 0)
    data.chmod(0o755)
    with Container(bundle, data, *arguments) as container:
        assert container.end() != 0
    assert f"{DATA} belongs to user 0, and this process runs as user {USER}; as root: chown {USER}:{USER} {DATA}; in Kubernetes: fsGroup: {USER}" in container.said
