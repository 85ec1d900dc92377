"""Records the samples of a version that are missing. An existing sample is never written again."""

import gzip
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from service import FILE, OPERATOR, Service, keeping, program

ROOT = Path(__file__).resolve().parent.parent.parent
# The members of a session that are recorded. Others depend on the time, such as `updatedAt`.
VIEW = ("app", "definition", "facts", "label", "login", "revision", "stack", "tree", "visible")


def view(session):
    return {name: session[name] for name in VIEW if name in session}


def freeze(folder):
    """Writes the missing samples to a folder, such as Tests/formats/0.2."""
    folder.mkdir(exist_ok=True)
    for name in ("app.schema.json", "app-part.schema.json"):
        if not (folder / name).exists():
            shutil.copy(ROOT / "config" / name, folder)
    if not (folder / "migrations.sha256").exists():
        files = [str(file.relative_to(ROOT)) for place in ("migrations", "migrations/postgres") for file in sorted((ROOT / place).glob("*.sql"))]
        (folder / "migrations.sha256").write_text(subprocess.run(["sha256sum", *files], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    if not (folder / "sessions").exists():
        record_sessions(folder / "sessions")
    if not (folder / "cairn.sqlite.gz").exists():
        record_database(folder)


# Members whose own members are named by the app.
NAMED = {"f", "v", "p", "c", "a", "facts", "params", "environment", "content", "with", "zones"}


# Members whose own members are all named by the form.
FORMS = {"", "action", "creation", "replacement", "sender", "covers", "clientTime", "n", "e", "work", "M", "H", "I"}


def features(file):
    """The names of members in a session file, each with the name of the member that contains it, and the types of the file's actions."""
    found = set()

    def walk(value, around):
        if isinstance(value, dict):
            for name, inner in value.items():
                found.add((around, name))
                if name not in NAMED:
                    walk(inner, name)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, around)

    for line in file.splitlines():
        value = json.loads(line)
        # A definition is compared by its hash.
        if isinstance(value, dict) and not value.keys() >= {"flows", "screens"}:
            walk(value, "")
            if isinstance(value.get("action"), dict):
                found.add(("action", "type", value["action"].get("type", "step")))
    return found


def record_sessions(folder):
    """Plays all scenarios, and records those sessions that together have each member of the stored forms."""
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        apps = place / "apps"
        shutil.copytree(ROOT / "config/apps", apps)
        for file in (ROOT / "Tests/Acceptance").iterdir():
            # A session with a time to live would expire before it is read.
            lines = file.read_text().splitlines(keepends=True)
            (apps / file.name).write_text("".join(line for line in lines if not line.startswith("ttl:")))
        with Service(place, apps) as service:
            proxy = keeping(service)
            for file in sorted(apps.glob("*.scenarios.yaml")):
                subprocess.run(
                    [program(), "test", str(file), "--against", f"http://127.0.0.1:{proxy.server_port}", "--key", OPERATOR],
                    cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            proxy.shutdown()
            files = [service.export(id, FILE) for id in service.sessions()]
        choose(files, folder)


def choose(files, folder):
    """Writes the files that add the most members for their length, until all members are present. A file is named after its app, with a number."""
    rest = [(file, json.loads(file.splitlines()[0])["app"], features(file)) for file in sorted(files)]
    apps = {}
    for _, app, names in rest:
        for name in names:
            apps.setdefault(name, set()).add(app)
    # Apps have names of their own, such as those of params. Names of the form occur in several apps, or beside other names of the form.
    needed = {name for name in apps if name[0] in FORMS or len(apps[name]) > 2}
    folder.mkdir()
    count = {}
    while needed:
        file, app, names = max(rest, key=lambda one: (len(one[2] & needed) / len(one[0]), one[0]))
        needed -= names
        count[app] = count.get(app, 0) + 1
        (folder / f"{app}-{count[app]}.jsonl").write_bytes(file)


def serve(folder):
    """Serves a database in a folder, without the definitions of the shipped apps, which may change."""
    (folder / "apps").mkdir(exist_ok=True)
    (folder / "apps/sample.yaml").write_text("app: sample\nlanguage: 1\nroot: { flow: main }\nscreens: { home: {} }\nflows: { main: { stack: home } }\n")
    return Service(folder, folder / "apps")


def record_database(folder):
    """Records a database with all recorded sessions, and with other kinds of stored rows, and what a service shows of it."""
    shown = {"sessions": {}, "files": {}, "definitions": {}, "apps": {}}
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        with serve(place) as service:
            for file in sorted((folder / "sessions").glob("*.jsonl")):
                shown["files"][file.name] = service.take(file.read_bytes(), FILE)["id"]
            write_rows(service)
            for id in service.sessions():
                shown["sessions"][id], definition = look(service, id)
                shown["definitions"].update(definition)
            shown["apps"] = {name: service.get(f"/v1/apps/delivery/{name}") for name in ("versions", "migrations")}
        with open(folder / "cairn.sqlite.gz", "wb") as out, gzip.GzipFile("", "wb", mtime=0, fileobj=out) as compressed:
            compressed.write((place / "cairn.sqlite").read_bytes())
    # One line per session.
    text = json.dumps(shown, sort_keys=True).replace('}, "s', '},\n"s')
    (folder / "database.json").write_text(text + "\n")


def look(service, id):
    """Returns what a service shows of a session, and the text of its definition for engines by its hash."""
    path = f"/v1/sessions/{id}"
    history, last = service.get(f"{path}/history?limit=1000"), service.get(path)["revision"]
    first = history.get("firstRevision", 1)
    replica = service.get(f"{path}/replica")
    definition = {replica["definition"]: service.ask("GET", f"{path}/definition")[1].decode()}
    views = {str(n): view(service.get(f"{path}?revision={n}")) for n in sorted({first, (first + last) // 2, last})}
    return {"history": history, "replica": replica, "views": views}, definition


def write_rows(service):
    """Creates rows that no imported session has: numbered actions, stored responses, a token, a migration, an undo, a forgotten history, a copy, a rollout."""

    def publish(file):
        return service.get(f"/v1/apps/{Path(file).stem.removesuffix('-2')}", (ROOT / file).read_bytes(), "PUT")["definition"]

    def start(app, **more):
        body = {"app": app, "clock": "manual", "requests": "manual", "label": "sample", **more}
        return "/v1/sessions/" + service.get("/v1/sessions", body)["id"]

    publish("config/apps/shop.yaml")
    shop = start("shop", accessToken="a-token")
    step = {"step": "productIsPicked", "params": {"productId": 3}}
    service.get(f"{shop}/actions", step, Idempotency_Key='"a-key"')
    service.get(f"{shop}/actions", {"client": "dGhlIGlkIG9mIGEgY2xpZW50", "first": 1, "now": 1_764_500_000_000, "actions": [{**step, "at": 1_764_499_000_000}]})
    service.get(f"{shop}/fork", {"revision": 1, "label": "copy"})
    service.get(f"{shop}/forget", {"before": 2})
    old = publish("config/apps/delivery.yaml")
    (moved, gone) = start("delivery"), start("delivery")
    service.get(f"{moved}/actions", {"type": "select", "tab": 1})
    new = publish("examples/releases/delivery-2.yaml")
    service.get(f"/v1/apps/delivery/migrations/{old}/{new}", (ROOT / "examples/releases/delivery.migrate.yaml").read_bytes(), "PUT")
    service.get(f"{moved}/migrate", {"to": new})
    service.get(f"{moved}/undo", {"revision": 2, "reason": "a sample"})
    service.get("/v1/apps/delivery/rollouts", {"to": new, "dryRun": True})
    service.ask("DELETE", gone)
