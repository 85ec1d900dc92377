"""Compares Cairn on PostgreSQL with PostgreSQL itself and with Cairn on SQLite. All ratios are of figures of one run on the same cores, and are printed beside
their targets."""

import http.client
import json
import os
import random
import re
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from statistics import median

from bars import load, servers
from bars.database import Database
from bars.service import QIITA

SESSIONS = 1_000
ROW = 300
PUSH = {"step": "search.webView", "params": {"url": "https://qiita.com/items/0123456789"}}
SCHEMA = f"""
CREATE TABLE bench_row (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea NOT NULL);
CREATE TABLE bench_page (session bigint, revision bigint, body bytea NOT NULL, PRIMARY KEY (session, revision));
CREATE TABLE bench_head (session bigint PRIMARY KEY, revision bigint NOT NULL);
CREATE SEQUENCE bench_batch;
INSERT INTO bench_head SELECT n, 0 FROM generate_series(0, 99999) n;
"""
BODY = f"decode(repeat('07', {ROW}), 'hex')"
# The lowest possible cost of a batch of 64: one statement that inserts the rows without a comparison of versions.
RAW = f"INSERT INTO bench_page SELECT n, nextval('bench_batch'), {BODY} FROM generate_series(1, 64) n;"
# The work of a client without Cairn's commit statement: for each session, an update that compares versions, and an insert.
PIPELINE = "\n".join([
    "\\set first random(0, 99936)", "\\startpipeline", "BEGIN;",
    *(f"UPDATE bench_head SET revision = revision + 1 WHERE session = :first + {n};\n"
      f"INSERT INTO bench_page VALUES (:first + {n}, nextval('bench_batch'), {BODY});" for n in range(64)), "COMMIT;", "\\endpipeline"])
ONE = f"INSERT INTO bench_row (body) VALUES ({BODY});"


class Table:
    """Rows with a figure and its target, printed as soon as they are known."""

    def __init__(self):
        self.rows = {}

    def add(self, name, value, target="", digits=2):
        self.rows[name] = value
        print(f"  {name:78}{value:>12,.{digits}f}  {target}", flush=True)


def run(folder, rounds, seconds, growth):
    """The figures by name. No figure fails the run, because the figures depend on the machine. The reader compares them."""
    table = Table()
    # The database has a separate folder, because only its owner may enter `folder`.
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as place, Database(place, "-c max_connections=300 -c max_wal_size=1GB") as database:
        for statement in filter(None, map(str.strip, SCHEMA.split(";"))):
            database.query(statement)
        journal(table, database, folder, rounds, seconds)
        service(table, database, folder, rounds, seconds)
        grown(table, database, folder, growth, seconds)
    return table.rows


def pgbench(database, folder, script, connections, seconds):
    """Transactions per second, and the mean time of one in microseconds."""
    with open(f"{folder}/pgbench.sql", "w", encoding="ascii") as file:
        file.write(script)
    done = subprocess.run(
        [f"{database.programs}/pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "1", "-T", str(seconds), "-f",
         f"{folder}/pgbench.sql", database.url], capture_output=True, text=True, check=True)
    return {
        "rate": float(re.search(r"tps = ([\d.]+)", done.stdout).group(1)),
        "time": float(re.search(r"latency average = ([\d.]+)", done.stdout).group(1)) * 1e3}


def committed(database, schema, sessions, batch, seconds):
    """Entries per second of the journal without a service, and PostgreSQL's CPU time and write-ahead log per entry."""
    with subprocess.Popen(
            [program("journal"), database.url, schema, str(sessions), str(batch), str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True) as process:
        process.stdout.readline()
        used, wal = database.cpu(), int(database.query("SELECT pg_current_wal_lsn() - '0/0'"))
        found = json.loads(process.communicate("\n")[0])
    return {
        "rate": found["entries"] / found["seconds"], "time": found["p50"], "cpu": (database.cpu() - used) / found["entries"] * 1e6,
        "wal": (int(database.query("SELECT pg_current_wal_lsn() - '0/0'")) - wal) / found["entries"]}


def program(name):
    environment = {**os.environ, "CAIRN_BENCHMARKS": "1"}
    build = ["swift", "build", "-c", "release"]
    subprocess.run([*build, "--product", name], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return subprocess.run([*build, "--show-bin-path"], env=environment, capture_output=True, text=True, check=True).stdout.strip() + f"/{name}"


def journal(table, database, folder, rounds, seconds):
    """The journal without a service, and PostgreSQL without Cairn."""
    print("  (journal alone; medians of the rounds)", flush=True)
    program("journal")
    found = {}
    for number in range(rounds):
        measured = {
            "one": pgbench(database, folder, ONE, 64, seconds), "raw": pgbench(database, folder, RAW, 1, seconds),
            "pipeline": pgbench(database, folder, PIPELINE, 1, seconds),
            64: committed(database, f"journal_{number}", 6_400, 64, seconds),
            256: committed(database, f"journal_{number}_256", 6_400, 256, seconds)}
        for name, row in measured.items():
            found.setdefault(name, []).append(row)
    middle = {name: {key: median(row[key] for row in rows) for key in rows[0]} for name, rows in found.items()}
    one = middle["one"]["rate"]
    table.add("pgbench, one row of 300 bytes, 64 connections: rows a second", one, "", 0)
    table.add("journal, 64 a batch: entries a second", middle[64]["rate"], "", 0)
    table.add("journal, 64 a batch : pgbench", middle[64]["rate"] / one, ">= 1.5")
    table.add("journal, 256 a batch : pgbench", middle[256]["rate"] / one, ">= 2.0")
    table.add("journal, 64 a batch : insert of 64 rows without a comparison", middle[64]["rate"] / (64 * middle["raw"]["rate"]), ">= 0.5")
    table.add("journal, 64 a batch : pipeline of 64 updates and inserts", middle[64]["rate"] / (64 * middle["pipeline"]["rate"]), ">= 1.7")
    table.add("PostgreSQL's CPU us an entry, 64 a batch", middle[64]["cpu"], "", 1)
    table.add("log of writes, bytes an entry, 64 a batch", middle[64]["wal"], "<= 700", 0)


def service(table, database, folder, rounds, seconds):
    """Over HTTP: two nodes, and a service on SQLite."""
    print("  (over HTTP)")
    servers.publish(database.url)
    file = f"{folder}/postgres.sessions"
    with ExitStack() as stack:
        nodes = [stack.enter_context(servers.node(database.url, folder, name)) for name in ("a", "b")]
        load.sessions(nodes[0], QIITA, SESSIONS, file)
        local = stack.enter_context(servers.cairn(folder, "beside"))
        load.sessions(local, QIITA, SESSIONS, f"{folder}/beside.sessions")
        compare(table, database, nodes[0], local, file, f"{folder}/beside.sessions", rounds, seconds)
        single = median(
            load.measured(nodes[0], "post", file, 1, seconds)["p50"] / pgbench(database, folder, ONE, 1, seconds)["time"] for _ in range(rounds))
        table.add("one POST at a time, p50 : pgbench on one connection, mean", single, "<= 1.6")
        share(table, nodes, file, folder, rounds, seconds)
        delays(table, nodes, "with NOTIFY", "15 / 100")
    with ExitStack() as stack:
        nodes = [stack.enter_context(servers.node(database.url, folder, name, settings={"CAIRN_DATABASE_SIGNALS": "false"})) for name in ("a", "b")]
        delays(table, nodes, "polling", "120 / 250")
    streams(table, database, folder, file, rounds, seconds)
    ready(table, database, folder)


def compare(table, database, node, local, file, beside, rounds, seconds):
    """One node on PostgreSQL and one on SQLite, in turn."""
    for kind, text, least, most in (("post", "POST", 0.40, 30), ("keyed", "POST with a key", None, 45), ("get", "GET", 0.40, 6)):
        ratios, costs, own = [], [], []
        for _ in range(rounds):
            used = database.cpu()
            row = load.measured(node, kind, file, 64, seconds)
            costs.append((database.cpu() - used) / (row["rate"] * seconds) * 1e6)
            other = load.measured(local, kind, beside, 64, seconds)
            ratios.append(row["rate"] / other["rate"])
            own.append(row["cpu"] - other["cpu"])
        table.add(f"{text}, 64 connections: PostgreSQL : SQLite", median(ratios), f">= {least:.2f}" if least else "")
        table.add(f"PostgreSQL's CPU us a {text}", median(costs), f"<= {most}", 1)
        table.add(f"the node's CPU us a {text}: PostgreSQL - SQLite", median(own), "<= 6" if kind == "post" else "", 1)


def both(nodes, files, connections, seconds):
    """Sends POSTs to all nodes at the same time, with one file per node. Returns their total rate, and the longest time in microseconds."""
    rows = [None] * len(nodes)

    def post(number):
        rows[number] = load.measured(nodes[number], "post", files[number], connections, seconds)

    threads = [threading.Thread(target=post, args=(number,)) for number in range(len(nodes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if None in rows:
        raise SystemExit("a request of several nodes had a wrong answer; see above")
    return sum(row["rate"] for row in rows), max(row["longest"] for row in rows)


def share(table, nodes, file, folder, rounds, seconds):
    """Two nodes that post to the same sessions, compared with nodes that each post to half of them. Then two nodes that post to one session, compared with one
    node."""
    with open(file, encoding="ascii") as lines:
        sessions = lines.readlines()
    half = [f"{folder}/half.{number}" for number in range(2)]
    for number, path in enumerate(half):
        write(path, sessions[number::2])
    # The pop at one node may precede the push at the other, so each session first gets screens to pop.
    deepen(nodes[0], sessions, 4)
    pairs = [(both(nodes, [file, file], 32, seconds)[0], both(nodes, half, 32, seconds)[0]) for _ in range(rounds)]
    table.add("two nodes, any session at any node : each session at one node", median(a / b for a, b in pairs), ">= 0.6")
    one = f"{folder}/one"
    write(one, sessions[:1])
    deepen(nodes[0], sessions[:1], 150)
    pairs = [(both(nodes, [one, one], 32, seconds), both(nodes[:1], [one], 64, seconds)) for _ in range(rounds)]
    table.add("two nodes posting to one session : one node", median(a[0] / b[0] for a, b in pairs), ">= 0.5")
    table.add("the longest wait of these, ms", max(a[1] for a, _ in pairs) / 1e3, "<= 2,000", 0)


def write(path, lines):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(lines)


def deepen(server, sessions, screens):
    for line in sessions:
        session, secret = line.split()
        status, text, _ = server.call("POST", f"/v1/sessions/{session}/actions", [PUSH] * screens, secret)
        if status != 200:
            raise SystemExit(f"a push is answered {status}: {text}")


def delays(table, nodes, name, target):
    """The time from the response of a POST at one node until its event is read at the other node."""
    created = json.loads(nodes[0].call("POST", "/v1/sessions", QIITA)[1])
    path, secret = f"/v1/sessions/{created['id']}", created["secret"]
    connection = http.client.HTTPConnection(nodes[1].url.removeprefix("http://"), timeout=30)
    connection.request("GET", f"{path}/events", headers={"Authorization": f"Bearer {secret}"})
    response = connection.getresponse()
    times, chance = [], random.Random(13)
    for number in range(200):
        body = PUSH if number % 2 == 0 else {"type": "pop"}
        revision = json.loads(nodes[0].call("POST", f"{path}/actions", body, secret)[1])["revision"]
        began = time.monotonic()
        while True:
            line = response.readline()
            if not line:
                raise SystemExit("the stream ended")
            if line.startswith(b"id:") and line.decode().split(":")[1].strip().strip('"').split("-")[0].split(".")[0] == str(revision):
                break
        times.append((time.monotonic() - began) * 1e3)
        # The next POST occurs at a random time between two polls.
        time.sleep(chance.uniform(0.02, 0.15))
    connection.close()
    times.sort()
    table.add(f"an event at the other node, {name}: p50 ms after the answer", times[len(times) // 2], f"<= {target.split(' / ', maxsplit=1)[0]}", 1)
    table.add(f"an event at the other node, {name}: p99 ms after the answer", times[int(len(times) * 0.99)], f"<= {target.split(' / ')[1]}", 1)


def streams(table, database, folder, file, rounds, seconds):
    """POSTs at one node: with idle streams at the other node and signals between both, and without either."""
    reader = servers.compiled("Benchmarks/Load/streams.c", ".build/benchmarks/streams")
    with open(file, encoding="ascii") as lines:
        sessions = [line.split() for line in lines]
    paths = f"{folder}/streams"
    write(paths, [f"/v1/sessions/{session}/events {servers.OPERATOR}\n" for session, _ in sessions])
    ratios = []
    for _ in range(rounds):
        rates = []
        for is_on in (True, False):
            with ExitStack() as stack:
                nodes = [
                    stack.enter_context(servers.node(database.url, folder, name, settings={"CAIRN_DATABASE_SIGNALS": str(is_on).lower()}))
                    for name in ("a", "b")]
                if is_on:
                    port = nodes[1].url.rpartition(":")[2]
                    listening = stack.enter_context(
                        subprocess.Popen([reader, port, "1000", paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
                    if not listening.stdout.readline().startswith("OPEN"):
                        raise SystemExit("the streams did not open")
                # The POSTs go to other sessions, so the streams are idle.
                made = f"{folder}/streams.sessions"
                load.sessions(nodes[0], QIITA, SESSIONS, made)
                rates.append(load.measured(nodes[0], "post", made, 64, seconds)["rate"])
                if is_on:
                    listening.stdin.close()
        ratios.append(rates[0] / rates[1])
    table.add("POSTs with 1,000 idle streams and NOTIFY : without either", median(ratios), ">= 0.95")


def ready(table, database, folder):
    """The statements per second of an idle node, and the time until a node responds after the database is available again."""
    with servers.node(database.url, folder) as node:
        created = json.loads(node.call("POST", "/v1/sessions", QIITA)[1])
        time.sleep(6)
        table.add("statements a second of an idle node", statements(database, 20), "<= 3", 1)
        database.stop()
        database.start()
        began = time.monotonic()
        while node.call("GET", f"/v1/sessions/{created['id']}", secret=created["secret"])[0] != 200:
            if time.monotonic() - began > 30:
                raise SystemExit("no 200 after the start of the database")
        table.add("seconds from the database's start to the first 200", time.monotonic() - began, "<= 1")


def statements(database, seconds):
    """The number of statements that the server executes per second, from its log."""
    database.set("log_statement", "all")
    with open(f"{database.folder}/log", encoding="utf-8") as log:
        time.sleep(1)
        log.seek(0, os.SEEK_END)
        time.sleep(seconds)
        found = sum(1 for line in log if " LOG:  execute " in line or " LOG:  statement: " in line)
    database.set("log_statement", "none")
    return found / seconds


def grown(table, database, folder, most, seconds):
    """The duration of a start and the cost of POSTs, with few sessions and with many."""
    print(f"  (growth to {most:,} sessions)")
    costs, there, everyone = {}, SESSIONS, f"{folder}/postgres.sessions"
    for size in (SESSIONS, most):
        with servers.node(database.url, folder) as node:
            if size > there:
                load.sessions(node, QIITA, size - there, f"{folder}/more")
                with open(everyone, "ab") as file, open(f"{folder}/more", "rb") as more:
                    file.write(more.read())
        with servers.node(database.url, folder) as node:
            start = node.start
            # A node reads each session once, which is not part of the cost of a POST.
            load.measured(node, "get", everyone, 64, max(seconds, size // 10_000))
            used = database.cpu()
            row = load.measured(node, "post", everyone, 64, max(seconds, 5), "uniform")
            costs[size] = (database.cpu() - used) / (row["rate"] * max(seconds, 5)) * 1e6
    table.add(f"seconds of a start on {most:,} sessions", start, "<= 1")
    table.add(f"PostgreSQL's CPU a POST with {most:,} sessions : with {SESSIONS:,}", costs[most] / costs[SESSIONS], "<= 1.5")
