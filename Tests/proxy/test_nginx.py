"""packaging/nginx/cairn.conf in a real nginx in front of a real Cairn."""

import json
import socket

import pytest

from workshop import KEY, Site, cairn, folder, nginx, wait_for


@pytest.fixture(scope="module")
def site():
    with folder() as place, cairn(place, "--trusted-proxies", "127.0.0.1") as (port, log), nginx(place, port) as (secure, plain):
        found = Site(place, secure)
        found.plain, found.log, found.place = plain, log, place
        yield found


def start(site, app="shop", **more):
    status, headers, body = site.send("POST", "/v1/sessions", json.dumps({"app": app, **more}).encode())
    assert status == 201, body
    return json.loads(body)


def until(link, mark):
    """Reads up to a text, and returns everything read."""
    said = b""
    while mark not in said:
        part = link.recv(65536)
        assert part, f"it ended without {mark}: {said}"
        said += part
    return said


def test_a_session_is_created_driven_and_read_over_tls(site):
    session = start(site, accessToken="t")
    path = f"/v1/sessions/{session['id']}"
    status, headers, body = site.send("POST", f"{path}/open", b'{"url":"https://shop.example/products/9"}', session["secret"])
    assert status == 200 and json.loads(body)["visible"]["screen"] == "product"
    status, headers, body = site.send("GET", path, bearer=session["secret"])
    assert status == 200 and headers["etag"].startswith(f'"{json.loads(body)["revision"]}-')
    assert headers["strict-transport-security"]
    status, _, body = site.send("GET", path, bearer=session["secret"], If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")


def test_the_log_and_the_limits_use_the_real_address_of_the_client(site):
    site.send("GET", "/v1/apps", X_Forwarded_For="203.0.113.9", Forwarded="for=203.0.113.9")
    line = wait_for(lambda: [line for line in site.log.read_text().splitlines() if "route=/v1/apps" in line], "its line in the log")
    assert all("address=127.0.0.1" in part for part in line) and "203.0.113.9" not in site.log.read_text()


def test_events_are_forwarded_at_once(site):
    session = start(site, accessToken="t")
    path = f"/v1/sessions/{session['id']}"
    with site.connect() as link:
        link.settimeout(10)
        link.sendall(site.head("GET", f"{path}/events", bearer=session["secret"]))
        said = until(link, b"event: reset")
        assert b"200 OK" in said and b"text/event-stream" in said
        site.send("POST", f"{path}/open", b'{"url":"https://shop.example/products/9"}', session["secret"])
        # The event arrives before the next heartbeat, which would flush a buffer.
        until(link, b"event: change")
        site.send("DELETE", path, bearer=session["secret"])
        until(link, b"event: end")


def test_a_long_poll_works_through_the_proxy(site):
    session = start(site, accessToken="t")
    path = f"/v1/sessions/{session['id']}"
    _, headers, _ = site.send("GET", path, bearer=session["secret"])
    status, _, body = site.send("GET", f"{path}?wait=1s", bearer=session["secret"], If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")


def test_a_body_that_is_too_large_gets_a_problem_of_cairn(site):
    status, headers, body = site.send("POST", "/v1/sessions", b" " * (1_500_000))
    assert status == 413 and json.loads(body)["code"] == "payload-too-large"


def test_metrics_are_not_public(site):
    assert site.send("GET", "/metrics", bearer=KEY)[0] == 404


def test_without_tls_the_client_is_redirected(site):
    with socket.create_connection(("127.0.0.1", site.plain), 10) as link:
        link.sendall(b"GET /v1/apps?pretty HTTP/1.1\r\nHost: cairn.example\r\nConnection: close\r\n\r\n")
        data = b""
        while part := link.recv(65536):
            data += part
    assert data.startswith(b"HTTP/1.1 308 ") and b"Location: https://cairn.example/v1/apps?pretty\r\n" in data
