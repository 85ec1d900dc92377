"""Load by wrk: one thread, persistent connections, requests from a Lua file."""

import json
import subprocess


def command(server, script, *arguments, connections=64, seconds=3):
    return [
        "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", f"Benchmarks/Load/{script}.lua", server.url,
        "--", *map(str, arguments)]


def template():
    """The command of a measurement, for people."""
    return "wrk -t1 -cCONNECTIONS -dSECONDS --timeout 10s -s Benchmarks/Load/requests.lua URL -- post|keyed|get|minimal|refused FILE [uniform]"


def wrk(*arguments, **options):
    """The output of wrk and of the script's last lines."""
    return subprocess.run(command(*arguments, **options), stdout=subprocess.PIPE, text=True, check=True).stdout


def sessions(server, body, count, file, seconds=3600, least=None):
    """Starts `count` sessions, or fewer if `seconds` have passed. Writes a line "ID SECRET" per session to `file`. Returns their number. Ends the run if it is
    below `least`, by default `count`."""
    wrk(server, "sessions", json.dumps(body), count, file, seconds=seconds)
    with open(file, "rb") as lines:
        made = sum(1 for _ in lines)
    if made < (count if least is None else least):
        raise SystemExit(f"{server.name}: only {made} of {count} sessions were started")
    return made


def measured(server, kind, file, connections, seconds, *options):
    """The requests per second, their times, and the CPU time of the service per request. Ends the run if any response is unexpected."""
    used, before = server.cpu(), server.metric("cairn_commits_total") if server.name == "cairn" else 0
    text = wrk(server, "requests", kind, file, *options, connections=connections, seconds=seconds)
    used = server.cpu() - used
    figures = json.loads(text.rpartition("FIGURES ")[2])
    wrong = figures["requests"] - figures["refused"] if kind == "refused" else figures["refused"]
    if wrong or figures["broken"]:
        raise SystemExit(f"{server.name}, {kind}, {connections} connections: {wrong} wrong answers, {figures['broken']} broken connections")
    row = {
        "rate": figures["requests"] / figures["seconds"], "cpu": used / max(figures["requests"], 1) * 1e6,
        "p50": figures["p50"], "p99": figures["p99"], "p999": figures["p999"], "longest": figures["longest"],
    }
    if server.name == "cairn" and kind in ("post", "keyed", "minimal"):
        row["batch"] = figures["requests"] / max(server.metric("cairn_commits_total") - before, 1)
    return row
