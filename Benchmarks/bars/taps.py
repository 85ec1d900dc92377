"""Taps of the JavaScript client at several round trip times, in Node and in Chromium: the time until a tap is shown, and until the service has confirmed it."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading

from bars import servers

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUND_TRIPS = (0, 100, 300)
# The Python with the browser's driver, which `scripts/install-needed people` installs.
DRIVER = ".build/python/bin/python"


def run(folder, quick=False):
    """The figures of each client, round trip and kind of client: milliseconds, and ratios to the round trip measured at the same time."""
    program = servers.nodejs() or shutil.which("node")
    if not program:
        raise SystemExit("there is no Node: run scripts/install-needed bench")
    subprocess.run(["make", "engine"], stdout=subprocess.DEVNULL, check=True)
    with site() as origin:
        plain = {"CAIRN_CORS_ORIGINS": origin}
        engine = {**plain, "CAIRN_ENGINE": ".build/engine", "CAIRN_PREDICT": "delivery"}
        with servers.cairn(folder, "taps", settings=plain) as server, servers.cairn(folder, "engine", settings=engine) as other:
            urls = (server.url, other.url)
            rows = lines([program, "Benchmarks/Taps/taps.mjs", *urls, "4" if quick else "20", *map(str, ROUND_TRIPS)])
            if has_chromium():
                for trip in ROUND_TRIPS:
                    with proxies(program, trip, urls) as delayed:
                        found = lines([DRIVER, "Benchmarks/Taps/chromium.py", origin, *delayed, "1" if quick else "10"])
                    rows += [{"roundTrip": trip, **row} for row in found]
    return [with_ratios(row) for row in rows]


def has_chromium():
    return os.path.exists(DRIVER) and os.path.exists(os.environ.get("CHROMIUM", "/usr/bin/chromium"))


def lines(command):
    """Returns the JSON lines that a program prints."""
    return [json.loads(line) for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves the page and the client's files."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".js": "text/javascript"}

    def do_GET(self):
        if self.path.startswith(("/Benchmarks/Taps/", "/clients/javascript/src/")):
            return super().do_GET()
        return self.send_error(404)

    def end_headers(self):
        # The clock of an isolated page has a resolution of 5 µs instead of 100.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def site():
    """Starts a server for the page, and returns its origin."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=ROOT)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextlib.contextmanager
def proxies(program, round_trip, urls):
    """Starts proxies that delay, and returns their URLs."""
    command = [program, "Benchmarks/Taps/proxy.mjs", str(round_trip), *urls]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(30)


def with_ratios(row):
    if "trip" not in row:
        return row
    return {**row, "ratios": {name: value / row["trip"] for name, value in row.items() if name not in ("kind", "client", "taps", "roundTrip", "trip")}}


def table(rows):
    names = f"{'round trip':>12}{'client':>10}{'':>11}{'shown':>12}{'p99':>11}{'free':>10}{'frame':>11}{'confirmed':>13}{'five taps':>13}"
    found = [f"{names}{'of the trip: shown':>20}{'p99':>8}{'confirmed':>11}{'five':>7}"]
    for row in rows:
        head = f"{row['roundTrip']:>9} ms{row['client']:>10}{row['kind']:>11}"
        if row["kind"] == "reload":
            frames = f"{row['opened']:.1f} ms and {row['frames']:.0f} frames after the page asks for it"
            found.append(f"{head}   the last screen {frames}, {row['sinceReload']:.0f} ms after the reload")
            continue
        drawn = f"{row['free']:>7.2f} ms{row['frame']:>8.1f} ms" if "frame" in row else f"{'-':>10}{'-':>11}"
        ratios = row["ratios"]
        found.append(
            f"{head}{row['shown']:>9.2f} ms{row['shownLate']:>8.2f} ms{drawn}{row['confirmed']:>10.1f} ms{row['five']:>10.1f} ms"
            f"{ratios['shown']:>20.4f}{ratios['shownLate']:>8.4f}{ratios['confirmed']:>11.2f}{ratios['five']:>7.2f}")
    if not any(row["client"] == "Chromium" for row in rows):
        found.append("no Chromium with its driver: its rows are left out (scripts/install-needed people)")
    return found
