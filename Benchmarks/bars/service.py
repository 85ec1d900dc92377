"""The service under load: bare libmicrohttpd, the Node service and Cairn in turn. Each round measures each of them once."""

from contextlib import ExitStack

from bars import load, servers
from bars.figures import number, summary

SESSIONS = 1_000
QIITA = {"app": "qiita", "accessToken": "bench"}
PUSH = {"step": "search.webView", "params": {"url": "https://qiita.com/items/0123456789"}}
# The measurements: (server, kind, connections).
BARS = [
    (server, kind, connections)
    for connections in (64, 250) for kind in ("post", "get") for server in ("bare", "peer", "cairn")
] + [("cairn", kind, connections) for kind in ("keyed", "minimal", "refused") for connections in (64, 250)]
# The loop of libmicrohttpd itself sleeps when exactly 128 events are ready. These measurements would show such a stall.
STALLS = [("cairn", kind, connections) for connections in (128, 256) for kind in ("post", "get")]
TEXT = {"post": "POST an action", "keyed": "POST with a key", "get": "GET a session", "minimal": "POST, return=minimal", "refused": "POST refused (409)"}
# The project's goals for 64 connections, per kind: the minimum share of bare's rate, the minimum multiple of the peer's rate, the maximum CPU time per request in microseconds.
GATES = {"post": (0.40, 10, 25), "get": (0.80, 2, 11.5)}


def run(folder, rounds, seconds):
    """The rows by (server, kind, connections)."""
    node = servers.nodejs()
    with ExitStack() as stack:
        running = {"bare": stack.enter_context(servers.bare(folder)), "cairn": stack.enter_context(servers.cairn(folder))}
        files = {"cairn": f"{folder}/cairn.sessions"}
        load.sessions(running["cairn"], QIITA, SESSIONS, files["cairn"])
        files["bare"] = files["cairn"]
        if node:
            running["peer"] = stack.enter_context(servers.peer(folder, node))
            files["peer"] = f"{folder}/peer.sessions"
            load.sessions(running["peer"], QIITA, SESSIONS, files["peer"])
        check(running, files)
        rows = {}
        for _ in range(rounds):
            for bar in BARS + STALLS:
                server, kind, connections = bar
                if server in running:
                    row = load.measured(running[server], kind, files[server], connections, seconds)
                    rows.setdefault(bar, []).append(row)
    return {bar: summary(measured) for bar, measured in rows.items()}


def check(running, files):
    """wrk reports only whether a response was an error, so the status of each kind is checked here."""
    for name in set(running) - {"bare"}:
        with open(files[name], encoding="ascii") as file:
            session, secret = file.readline().split()

        def status(method, tail="", body=None, key=secret, server=running[name], path=f"/v1/sessions/{session}"):
            return server.call(method, path + tail, body, key)[0]

        found = {"get": status("GET"), "post": status("POST", "/actions", PUSH), "wrong secret": status("GET", key="wrong")}
        status("POST", "/actions", {"type": "pop"})
        expected = {"get": 200, "post": 200, "wrong secret": 401}
        if name == "cairn":
            found["refused"] = status("POST", "/actions", {"type": "popTo", "screen": "loginTop"})
            expected["refused"] = 409
        if found != expected:
            raise SystemExit(f"{name} answered {found}, not {expected}")


def table(rows):
    """The lines to print."""
    yield f"{'':40}{'a second':>10}{'lowest-highest':>18}{'p50 us':>11}{'p99 us':>11}{'p99.9 us':>11}{'CPU us':>10}{'batch':>7}"
    for (server, kind, connections), row in rows.items():
        name = f"{server}: {TEXT[kind]}, {connections}"
        spread = f"{number(row['lowest'])}-{number(row['highest'])}"
        yield (
            f"{name:40}{number(row['rate']):>10}{spread:>18}{number(row['p50']):>11}{number(row['p99']):>11}{number(row['p999']):>11}"
            f"{number(row['cpu'], 1):>10}{number(row.get('batch'), 1):>7}")
    yield ""
    yield f"{'':40}{'Cairn/bare':>14}{'Cairn/peer':>16}{'CPU us':>14}"
    for ratio in ratios(rows):
        yield (
            f"{TEXT[ratio['kind']] + ', ' + str(ratio['connections']):40}"
            f"{number(ratio['bare'], 2) + ' >= ' + number(ratio['gates'][0], 2):>14}"
            f"{number(ratio['peer'], 1) + ' >= ' + number(ratio['gates'][1]):>16}"
            f"{number(ratio['cpu'], 1) + ' <= ' + number(ratio['gates'][2], 1):>14}   "
            + ("reached" if ratio["reached"] else "not reached"))


def ratios(rows):
    """Yields the ratios of Cairn to bare and to the peer within the run, each with the goals and whether they are reached."""
    for kind, gates in GATES.items():
        for connections in (64, 250):
            own = rows[("cairn", kind, connections)]
            of_bare = own["rate"] / rows[("bare", kind, connections)]["rate"]
            other = rows.get(("peer", kind, connections))
            of_peer = own["rate"] / other["rate"] if other else None
            reached = of_bare >= gates[0] and (of_peer is None or of_peer >= gates[1]) and own["cpu"] <= gates[2]
            yield {
                "kind": kind, "connections": connections, "bare": of_bare, "peer": of_peer, "cpu": own["cpu"], "gates": gates,
                "reached": reached}


def document(rows):
    """Returns the same figures as JSON."""
    return {
        "bars": [{"server": bar[0], "kind": bar[1], "connections": bar[2], **row} for bar, row in rows.items()],
        "ratios": list(ratios(rows)),
    }
