"""Checks the OpenAPI document of a running service against JSON Schema (2020-12), and the service against the document with schemathesis.

Starts the program on a free port of 127.0.0.1 with a separate database and its own definitions. Requests come from a fixed seed. Takes about two minutes.
usage: run.py CAIRN
"""

import json
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import jsonschema_rs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEED = "20260101"
# The duration of each run of schemathesis, in seconds.
BUDGET = 55


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Service:
    def __init__(self, program, folder):
        self.port, self.key = free_port(), secrets.token_urlsafe(24)
        self.url = f"http://127.0.0.1:{self.port}"
        shutil.copytree(ROOT / "config" / "apps", folder / "apps")
        environment = {**os.environ, "CAIRN_OPERATOR_KEY": self.key, "CAIRN_LOG_LEVEL": "error"}
        self.log = open(folder / "log.txt", "wb")
        self.process = subprocess.Popen(
            [program, "serve", "--port", str(self.port), "--database", str(folder / "cairn.sqlite"), "--apps", str(folder / "apps")],
            env=environment, cwd=folder, stdout=self.log, stderr=self.log)
        self.wait()

    def wait(self):
        end = time.monotonic() + 30
        while True:
            try:
                return self.ask("GET", "/readyz")
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    sys.exit("the service does not answer")
                time.sleep(0.05)

    def ask(self, method, path, body=None, key=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = json.dumps(body).encode() if body is not None else None
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, headers, method=method), timeout=20) as answer:
            return answer.read()

    def session(self):
        made = json.loads(self.ask("POST", "/v1/sessions", {"app": "qiita", "label": "contract"}))
        return made["id"], made["secret"]

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def at(document, reference):
    value = document
    for part in reference[2:].split("/"):
        value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


def check_document(document):
    """Checks that every reference resolves, that every schema is valid, and that each example fits its schema. Returns the number of examples."""
    def references(value):
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            value = list(value.values())
        if isinstance(value, list):
            for inner in value:
                yield from references(inner)

    for reference in references(document):
        at(document, reference)
    whole = {"components": document["components"]}
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.Draft202012Validator({**schema, **whole})
    count = 0
    for item in document["paths"].values():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            for content in operation.get("requestBody", {}).get("content", {}).values():
                for example in content.get("examples", {}).values():
                    jsonschema_rs.Draft202012Validator({**content["schema"], **whole}).validate(example["value"])
                    count += 1
    return count


def configuration(session):
    """The configuration of schemathesis. All checks are enabled, and each restriction has its reason here."""
    return f"""
seed = {SEED}
max-time = {BUDGET}
request-timeout = 20
continue-on-failure = true

[cache]
enabled = false

[parameters]
"path.id" = "{session}"
"path.app" = "qiita"
# The time that a client with the newest revision waits.
"query.wait" = "1s"

[generation]
# Names of headers and queries are bytes of ASCII on the wire.
allow-x00 = false
database = "none"
deterministic = true

[checks.positive_data_acceptance]
# A document cannot say which steps, links, revisions and keys a session accepts at a given time (404, 409, 412, 422), and what only an operator may do
# (403). The number of tickets is bounded (429), and a revision may be forgotten (410).
expected-statuses = ["2xx", 304, 401, 403, 404, 409, 410, 412, 422, 429]

[checks.negative_data_rejection]
# With a forgotten revision the response is 410, whatever else is wrong. A URL that is too long may make the whole target too long: 414.
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 410, 414, 415, 422, 428, 429, "5xx"]
"""


def run_schemathesis(service, folder, session, key, who, exclude):
    place = folder / f"{who}.toml"
    place.write_text(configuration(session))
    command = [
        str(pathlib.Path(sys.executable).parent / "schemathesis"), "--config-file", str(place), "run", f"{service.url}/openapi.json", "--checks", "all",
        "--phases", "examples,coverage,fuzzing", "--mode", "all", "--no-color", "-H", f"Authorization: Bearer {key}",
    ]
    for operation in exclude:
        command += ["--exclude-operation-id", operation]
    print(f"as {who}:", flush=True)
    return subprocess.run(command, cwd=folder, check=False).returncode


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        service = Service(program, folder)
        try:
            for path in ["/openapi.json"] + [f"/v1/apps/{app['app']}/openapi.json" for app in json.loads(service.ask("GET", "/v1/apps"))["apps"]]:
                document = json.loads(service.ask("GET", path))
                print(f"{path}: {len(document['paths'])} paths, {check_document(document)} examples", flush=True)
            session, secret = service.session()
            # Streams do not end, a deleted session returns only 404, and a file with a checksum cannot be generated. Other tests cover them.
            apart = ["listenToSession", "listenToAll", "endSession", "endSessions", "importSession"]
            codes = [
                run_schemathesis(service, folder, session, service.key, "operator", apart),
                run_schemathesis(service, folder, session, secret, "session", apart),
            ]
            if service.process.poll() is not None:
                sys.exit("the service has ended by itself")
            return max(codes)
        finally:
            service.stop()


if __name__ == "__main__":
    sys.exit(main())
