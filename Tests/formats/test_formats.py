"""Holds the formats of each released version against samples that this version wrote. docs/versions.md describes what a version may change.

The folder of a version never changes. `CAIRN_FREEZE=0.2 make freeze` adds the folder of the next one: it records missing samples, and leaves existing ones as they are.
"""

import copy
import gzip
import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from record import ROOT, look, serve
from schema import narrowings
from service import FILE, SECRET, program

HERE = Path(__file__).parent
VERSIONS = sorted(folder for folder in HERE.iterdir() if re.fullmatch(r"\d+\.\d+", folder.name))
REMEDY = "a format of {} changed: give the new form a new number, and keep reading the old one; see docs/versions.md"


@pytest.fixture(params=VERSIONS, ids=lambda folder: folder.name)
def version(request):
    return request.param


def exact(text):
    """Parses JSON without losing digits of numbers."""
    return json.loads(text, parse_float=str)


def missing(old, new, place=""):
    """Returns the places at which `new` lacks something of `old`, or has another value. Objects of `new` may have further members."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [text for name, value in old.items() for text in (missing(value, new[name], f"{place}/{name}") if name in new else [f"{place}/{name} is missing"])]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [text for index, value in enumerate(old) for text in missing(value, new[index], f"{place}/{index}")]
    return [] if old == new else [f"{place} is {str(new)[:100]}, was {str(old)[:100]}"]


def test_the_version_has_recorded_samples():
    version = (ROOT / "VERSION").read_text().strip().rsplit(".", 1)[0]
    assert version in [folder.name for folder in VERSIONS], f"record them: CAIRN_FREEZE={version} make freeze"


@pytest.mark.parametrize("name", ["app.schema.json", "app-part.schema.json"])
def test_language_1_still_accepts_what_it_accepted(version, name):
    old, new = (json.loads((folder / name).read_text()) for folder in (version, ROOT / "config"))
    assert narrowings(old, new) == [], f"language 1 of {version.name} changed: add words, but keep the old ones, or begin language 2; see docs/versions.md"


def test_a_schema_that_accepts_less_is_found():
    old = json.loads((VERSIONS[0] / "app.schema.json").read_text())

    def found(change):
        new = copy.deepcopy(old)
        change(new)
        return narrowings(old, new)

    def more(schema):
        schema["properties"]["another"] = {"type": "string"}

    def less(schema):
        del schema["properties"]["ttl"]

    def needed(schema):
        schema["required"].append("ttl")

    assert found(more) == [] and found(less) == ["#/ttl: is missing"] and found(needed) == ["#: requires ttl"]

    def within(value):
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [value, *(one for part in inner for one in within(part))]

    enumerations = [value for value in within(old) if isinstance(value, dict) and isinstance(value.get("enum"), list)]
    assert len(enumerations) > 30 and all(narrowings(value, {**value, "enum": value["enum"][1:]}) for value in enumerations)
    assert not any(narrowings(value, {**value, "enum": [*value["enum"], "another"]}) for value in enumerations)
    assert narrowings({"items": {"minimum": 1}}, {"items": {"minimum": 2}}) and not narrowings({"items": {"minimum": 2}}, {"items": {"minimum": 1}})
    assert narrowings({"type": "string"}, {"type": "string", "pattern": "^a"}) and narrowings({}, {"type": "string"})
    assert narrowings({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "null"}]})
    assert not narrowings({"type": "string"}, {"anyOf": [{"type": "null"}, {"type": "string"}]})


def test_a_migration_of_the_database_never_changes(version):
    for line in (version / "migrations.sha256").read_text().splitlines():
        digest, name = line.split("  ")
        found = hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
        assert found == digest, f"{name} is applied in databases of {version.name}: restore it, and add a new file"


@pytest.fixture
def database(version, tmp_path):
    """A copy of the recorded database."""
    (tmp_path / "cairn.sqlite").write_bytes(gzip.decompress((version / "cairn.sqlite.gz").read_bytes()))
    return tmp_path


def test_the_recorded_database_is_opened_and_read(version, database):
    recorded = exact((version / "database.json").read_text())
    with serve(database) as service:
        assert sorted(service.sessions()) == sorted(recorded["sessions"])
        found, definitions = {}, {}
        for id in recorded["sessions"]:
            shown, definition = look(service, id)
            found[id] = exact(json.dumps(shown))
            definitions.update(definition)
        apps = {name: exact(json.dumps(service.get(f"/v1/apps/delivery/{name}"))) for name in recorded["apps"]}
    for id, shown in found.items():
        for part in ("views", "history"):
            assert missing(recorded["sessions"][id][part], shown[part]) == [], f"{id}: {REMEDY.format(version.name)}"
        compare_replica(version, recorded["sessions"][id]["replica"], shown["replica"])
    # The text of a definition for engines has the number of its form.
    for name, text in recorded["definitions"].items():
        if json.loads(text)["format"] == json.loads(definitions[name])["format"]:
            assert exact(text) == exact(definitions[name]), REMEDY.format(version.name)
    assert missing(recorded["apps"], apps) == [], REMEDY.format(version.name)


def compare_replica(version, old, new):
    """Compares the states that clients with an engine receive. A later engine or format has other numbers, and then clients read the state again."""
    assert old.keys() <= new.keys(), REMEDY.format(version.name)
    if (old["engine"], old["format"]) == (new["engine"], new["format"]):
        assert exact(old["state"]) == exact(new["state"]), REMEDY.format(version.name)
        assert missing({**old, "state": ""}, {**new, "state": ""}) == [], REMEDY.format(version.name)


def test_the_recorded_database_is_verified(version, database):
    with serve(database):
        pass
    done = subprocess.run(
        [program(), "verify", "cairn.sqlite"], cwd=database, capture_output=True, text=True, env={**os.environ, "CAIRN_SECRET_KEY": SECRET})
    assert done.returncode == 0, f"{done.stdout}{done.stderr}{REMEDY.format(version.name)}"


def test_recorded_session_files_are_imported_and_exported_again(version, tmp_path):
    recorded = exact((version / "database.json").read_text())
    files = sorted((version / "sessions").glob("*.jsonl"))
    assert len(files) > 5 and {file.name for file in files} == recorded["files"].keys()
    with serve(tmp_path) as service:
        for file in files:
            old = file.read_bytes()
            status, text = service.ask("POST", "/v1/sessions/import", old, Content_Type="application/vnd.cairn.session+jsonl", Session_File_Key=FILE)
            assert status == 201, f"{file.name}: {text.decode()}: {REMEDY.format(version.name)}"
            id = json.loads(text)["id"]
            shown, _ = look(service, id)
            was = recorded["sessions"][recorded["files"][file.name]]
            assert missing(was["views"], exact(json.dumps(shown["views"]))) == [], f"{file.name}: {REMEDY.format(version.name)}"
            compare_files(version, file.name, old, service.export(id, FILE))


def compare_files(version, name, old, new):
    """Compares a file with the file of the session that was created from it. The names of the session and of the file, and the encrypted secrets, differ."""

    def content(file):
        lines = [exact(line) for line in file.splitlines()]
        kept = [line for line in lines[:-1] if "secret" not in line or "box" not in line]
        secrets = [line["secret"] for line in lines[:-1] if line not in kept]
        return lines[0]["format"], [{**kept[0], "session": "", "file": ""}, *kept[1:]], secrets

    (before, lines, secrets), (now, others, kept) = content(old), content(new)
    if before == now:
        assert secrets == kept, f"{name}: {REMEDY.format(version.name)}"
        for line, other in zip(lines, others):
            # The number of the engine is that of the service, which has run the entry again.
            assert {**line, "engine": 0} == {**other, "engine": 0}, f"{name}: {REMEDY.format(version.name)}"
        # A session with messages in progress has one more revision after an import.
        assert len(others) >= len(lines)


def test_the_page_about_versions_has_the_numbers_of_the_formats():
    rows = dict(re.findall(r"^\| ([^|]+?) \| (\d+(?: and \d+)?) \|", (ROOT / "docs/versions.md").read_text(), re.MULTILINE))

    def number(file, pattern):
        return re.search(pattern + r" = (\d+)", (ROOT / file).read_text())[1]

    core, version = "Sources/CairnCore", r"static let version(?:: UInt8)?"
    state = number(f"{core}/Format/StateFormat.swift", version)
    assert rows == {
        "language (`language` of a definition)": "1",
        "database (`PRAGMA user_version`)": str(len(list((ROOT / "migrations").glob("*.sql")))),
        "stored causes, and stored states": f"{number('Sources/CairnJournal/Format/CauseFormat.swift', version)} and {state}",
        "page of entries on PostgreSQL": number("Sources/CairnPostgres/Writing/PageFormat.swift", version),
        "session file (`format` of its first line)": number("Sources/CairnStore/Copying/SessionFile.swift", version),
        "definition for engines": number(f"{core}/Format/Definition/DefinitionFormat.swift", version),
        "state for engines, and behavior of the engine": f"{state} and {number(f'{core}/Engine/Reducer+Engine.swift', 'static let engine')}",
        "storage of the JavaScript client": number("clients/javascript/src/storage/kept.js", "export const format"),
        "file of the Swift client": number("Sources/CairnClient/Keeping/KeptSession.swift", "static let format"),
    }
