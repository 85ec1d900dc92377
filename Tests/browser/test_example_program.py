"""The program behind `make example`: its output, its child processes, and its messages if it cannot start."""

import json
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import pytest
from delivery import Example
from serving import ROOT

RUN = str(ROOT / "examples/delivery-web/run")


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_page_and_the_service(sign):
    example = Example()
    assert json.loads(get(f"{example.url}/service.json")) == {"service": example.service}
    get(f"{example.service}/livez")
    example.process.send_signal(sign)
    example.process.wait(timeout=60)
    for url in (example.url, example.service):
        with pytest.raises(urllib.error.URLError):
            get(url)


def test_only_the_page_may_call_the_service():
    example = Example()
    try:
        for origin, allowed in ((example.url, example.url), ("http://evil.example", None)):
            request = urllib.request.Request(f"{example.service}/v1/apps", headers={"Origin": origin})
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert answer.headers["Access-Control-Allow-Origin"] == allowed
    finally:
        example.close()


def test_files_outside_its_folders_are_not_served():
    example = Example()
    try:
        for path in ("/cairn-client/../package.json", "/..%2f..%2fMakefile", "/cairn-client/nothing.js"):
            with pytest.raises(urllib.error.HTTPError):
                get(example.url + path)
        assert b"export" in get(f"{example.url}/cairn-client/index.js")
    finally:
        example.close()


def test_a_port_in_use_and_a_missing_binary_are_reported():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        told = subprocess.run([RUN, "--port", port, "--binary", "/bin/true"], capture_output=True, text=True, timeout=30, check=False)
    assert told.returncode == 1 and f"port {port}: Address already in use" in told.stderr
    told = subprocess.run([RUN, "--port", "0", "--binary", "/no/cairn"], capture_output=True, text=True, timeout=30, check=False)
    assert told.returncode == 1 and "there is no /no/cairn" in told.stderr
