"""Measures growth: the sessions in one database, the actions of one session, and timers. Prints each figure at once, because this takes longest."""

import json
import os
import statistics
import time

from bars import load, servers
from bars.service import QIITA

POP = {"type": "pop"}
SHOP = {"app": "shop", "accessToken": "bench"}
PRODUCT = {"step": "productIsPicked", "params": {"productId": 7}}
LARGE = {"CAIRN_SESSION_NODES": "5000", "CAIRN_SESSION_SIZE": "4096", "CAIRN_REQUEST_WORK": "2000000"}
TICKING = {"app": "rxflow-demo", "facts": {"onBoarded": True}}


def run(folder, most, seconds):
    """Returns the figures of the many sessions, of the long session and of the timers. Prints each figure as soon as it is known."""
    result = {"sessions": sessions(folder, most, seconds)}
    result["session"] = long_session(folder, most)
    result["timers"] = timers(folder, most)
    return result


def sessions(folder, most, seconds):
    """10^3, 10^4, … sessions in one database: requests to all of them, the duration of a start, and the memory afterwards."""
    print(
        f"{'sessions':>12}{'made a s':>10}{'POST/s':>9}{'CPU us':>8}{'longest ms':>12}{'GET/s':>9}{'CPU us':>8}"
        f"{'start ms':>10}{'MiB':>7}")
    rows, there, size = [], 0, 1_000
    everyone = f"{folder}/growth.sessions"
    while size <= most:
        with servers.cairn(folder, "growth") as server:
            began = time.monotonic()
            load.sessions(server, QIITA, size - there, f"{folder}/more")
            made = (size - there) / (time.monotonic() - began)
        with open(everyone, "ab") as file, open(f"{folder}/more", "rb") as more:
            file.write(more.read())
        with servers.cairn(folder, "growth") as server:
            start = server.start
            post = load.measured(server, "post", everyone, 64, seconds, "uniform")
            get = load.measured(server, "get", everyone, 64, seconds, "uniform")
            rows.append({"sessions": size, "made": made, "start": start, "post": post, "get": get, "memory": server.memory()})
        print(
            f"{size:>12,}{made:>10,.0f}{post['rate']:>9,.0f}{post['cpu']:>8.1f}{post['longest'] / 1e3:>12.1f}{get['rate']:>9,.0f}"
            f"{get['cpu']:>8.1f}{start * 1e3:>10.0f}{rows[-1]['memory'] / 2**20:>7.0f}", flush=True)
        there, size = size, size * 10
    result = {"rows": rows, "disk": disk(folder)}
    with servers.cairn(folder, "growth") as server:
        result["steady"] = load.measured(server, "post", everyone, 64, 10, "uniform")
    tell(f"a steady stream of POSTs to {there:,} sessions, 10 s: its longest pause, and the disk's")
    for name, row in (("POST, 64 connections", result["steady"]), ("fdatasync of 4 KiB alone", result["disk"])):
        print(
            f"  {name:30}{'p50':>6}{row['p50'] / 1e3:>8.1f} ms{'p99.9':>8}{row['p999'] / 1e3:>8.1f} ms"
            f"{'longest':>10}{row['longest'] / 1e3:>8.1f} ms")
    return result


def disk(folder):
    """The microseconds that it takes to overwrite and sync one page. No commit can be faster."""
    took, page = [], os.urandom(4_096)
    with open(f"{folder}/page", "wb", buffering=0) as file:
        for _ in range(2_000):
            began = time.monotonic()
            os.pwrite(file.fileno(), page, 0)
            os.fdatasync(file.fileno())
            took.append((time.monotonic() - began) * 1e6)
    took.sort()
    return {"p50": took[len(took) // 2], "p999": took[-3], "longest": took[-1]}


def long_session(folder, most):
    """The milliseconds of requests to a session with many actions, and of a request to a session with many nodes."""
    # A session has at most 1,000,000 revisions, and the measured requests at the end need some of them.
    most = min(most, 990_000)
    # The session exceeds the default limits for a session and for a request, so the service runs with larger ones.
    with servers.cairn(folder, "long", settings=LARGE) as server:
        session, secret = born(server, SHOP)
        path = f"/v1/sessions/{session}"
        for _ in range(most // 1_000):
            asked(server, "POST", path + "/actions", [PRODUCT, POP] * 500, secret)
        last = most + 1
        tell(f"session of {most:,} actions")
        result = {"actions": most}
        result["history"] = timed(server, "GET", f"{path}/history?after={last - 100}", None, secret, "the last page of its history")
        result["revision"] = timed(server, "GET", f"{path}?revision={last // 2}", None, secret, "?revision= in the middle")
        result["post"] = timed(server, "POST", path + "/actions", [PRODUCT, POP], secret, "POST")
        result["delete"] = timed(server, "DELETE", path, None, secret, "DELETE", times=1)
        session, secret = born(server, SHOP)
        path = f"/v1/sessions/{session}/actions"
        asked(server, "POST", path, [PRODUCT] * 1_000, secret)
        tell("session of 1,000 nodes")
        result["pushes"] = timed(server, "POST", path, [PRODUCT] * 1_000, secret, "POST of 1,000 pushes in one request", times=1)
    return result


def timers(folder, most):
    """Sessions with timers that tick every 5 s and change nothing: the CPU time of the service without requests."""
    with servers.cairn(folder, "timers") as server:
        # Existing sessions tick while more are created. A service that is busy with ticks would never create all of them, so the time is limited.
        most = load.sessions(server, TICKING, most, f"{folder}/ticking", seconds=120, least=1)
    with servers.cairn(folder, "timers") as server:
        start = server.start
        time.sleep(1)
        used, began = server.cpu(), time.monotonic()
        time.sleep(10)
        share = (server.cpu() - used) / (time.monotonic() - began)
        row = {"sessions": most, "start": start, "cpu": share, "memory": server.memory()}
    tell(f"{most:,} sessions of rxflow-demo with timers every 5 s")
    print(f"  start {start * 1e3:.0f} ms, {share * 1e3:.0f} ms of CPU a second, {row['memory'] / 2**20:.0f} MiB")
    return row


def born(server, body):
    answer = asked(server, "POST", "/v1/sessions", body, servers.OPERATOR)[0]
    return answer["id"], answer["secret"]


def asked(server, method, path, body, secret):
    """Returns the body of the response, and the duration of the request in milliseconds. Ends the run if the response is not a success."""
    status, text, took = server.call(method, path, body, secret)
    if status >= 300:
        raise SystemExit(f"{method} {path}: {status} {text.decode()}")
    return json.loads(text) if text else None, took * 1e3


def timed(server, method, path, body, secret, text, times=3):
    """The duration of the first request, for which nothing is cached, and the median of all requests."""
    took = [asked(server, method, path, body, secret)[1] for _ in range(times)]
    print(f"  {text:40}{took[0]:>10.1f} ms first{statistics.median(took):>10.1f} ms", flush=True)
    return {"first": took[0], "median": statistics.median(took)}


def tell(text):
    print(f"\n{text}", flush=True)
