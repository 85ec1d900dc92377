"""The packages on a Debian that has nothing but its required packages: installed, upgraded with sessions, removed, purged. Takes minutes, and needs root and the
network, so it is a step of .ci/run-long."""

import os
import re
import shutil
import time

import pytest

from packages import Bare, Service, ask, folder, packed, run, unpacked

KEY = "the-operators-key-of-a-test"
SESSIONS = 10_000
pytestmark = pytest.mark.skipif(os.environ.get("CAIRN_LONG") != "1", reason="a step of .ci/run-long")


@pytest.fixture()
def place():
    with folder() as path:
        yield path


def installed(debian, deb):
    """Copies a deb into the system and installs it with apt-get, as a user would."""
    shutil.copy(deb, debian.root / "tmp")
    return debian.run("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{deb.name}")


def test_the_deb_is_installed_upgraded_with_ten_thousand_sessions_removed_and_purged(place):
    debian = Bare(place)
    older, newer = packed("deb", place, "0.0.9"), packed("deb", place)
    with debian.proc():
        debian.run("apt-get", "update")
        installed(debian, older)
        assert not (debian.root / "usr/bin/swift").exists()
        (debian.root / "etc/cairn/operators").write_text(f"operator: {KEY}\n")
        assert (debian.root / "etc/cairn/operators").stat().st_mode & 0o777 == 0o600
        shutil.copy(debian.root / "usr/share/doc/cairn/config/apps/shop.yaml", debian.root / "etc/cairn/apps")
        settings = debian.root / "etc/cairn/cairn.yaml"
        settings.write_text(settings.read_text() + "\nsessionNodes: 900\n")
        with debian.service() as service:
            client = service.client()
            made = [ask(client, "POST", "/v1/sessions", {"app": "shop"}, KEY) for _ in range(SESSIONS)]
            moved = made[-1]
            ask(client, "POST", f"/v1/sessions/{moved['id']}/actions", {"type": "token", "accessToken": "a-token"}, moved["secret"])
            tree = ask(client, "GET", f"/v1/sessions/{moved['id']}", token=moved["secret"])["tree"]
        assert (debian.root / "var/lib/cairn").stat().st_mode & 0o777 == 0o700

        installed(debian, newer)
        assert "sessionNodes: 900" in settings.read_text()
        assert KEY in (debian.root / "etc/cairn/operators").read_text()
        with debian.service() as service:
            client = service.client()
            assert ask(client, "GET", f"/v1/sessions/{moved['id']}", token=moved["secret"])["tree"] == tree
            for session in made[:: SESSIONS // 100]:
                assert ask(client, "GET", f"/v1/sessions/{session['id']}", token=session["secret"])["id"] == session["id"]
        report = debian.run("cairn", "verify", "--config", "/etc/cairn/cairn.yaml", user="cairn")
        assert re.search(rf"\b{SESSIONS:_}\b|\b{SESSIONS}\b|\b{SESSIONS:,}\b", report), report

        debian.run("apt-get", "remove", "-y", "cairn")
        assert not (debian.root / "usr/bin/cairn").exists() and not (debian.root / "usr/bin/cairn").is_symlink()
        assert (debian.root / "var/lib/cairn/cairn.sqlite").exists() and settings.exists()
        debian.run("apt-get", "purge", "-y", "cairn")
        assert not (debian.root / "var/lib/cairn").exists()
        assert not (debian.root / "etc/cairn/operators").exists() and not settings.exists()


def test_the_tarball_runs_on_a_bare_debian_with_and_without_proc(place):
    debian = Bare(place)
    tree = unpacked(packed("tarball", place), debian.root / "opt/a folder")
    inside = "/" + str(tree.relative_to(debian.root))

    def serve_a_session():
        command = debian.command(f"{inside}/bin/cairn", "serve", "--port", "0", "--database", "/tmp/cairn.sqlite",
                                 "--apps", f"{inside}/share/doc/cairn/config/apps")
        with Service(command) as service:
            assert ask(service.client(), "POST", "/v1/sessions", {"app": "shop"})["app"] == "shop"

    assert debian.run("ls", "/proc").split() == []
    serve_a_session()
    with debian.proc():
        serve_a_session()


def test_a_stranger_sees_the_first_own_change_within_two_minutes_of_the_download(place):
    debian = Bare(place)
    deb = packed("deb", place)
    with debian.proc():
        debian.run("apt-get", "update")
        # The download is not counted: apt-get fetches the packages that the deb depends on before the clock starts.
        shutil.copy(deb, debian.root / "tmp")
        debian.run("apt-get", "install", "-y", "--no-install-recommends", "--download-only", f"/tmp/{deb.name}")
        start = time.monotonic()
        installed(debian, deb)
        debian.run("cairn", "new", "/srv/notes")
        notes = debian.root / "srv/notes"
        for command in ["check", "test", "explore"]:
            (line,) = re.findall(rf"^cairn {command} .*$", (notes / "README.md").read_text(), re.M)
            debian.run("env", "-C", "/srv/notes", *line.split())
        with Service(debian.command("env", "-C", "/srv/notes", "cairn", "serve", "--watch", "--port", "0")) as service:
            client = service.client()
            first = ask(client, "POST", "/v1/sessions", {"app": "notes"})
            (definition,) = [path for path in notes.rglob("notes.yaml")]
            # The first own change: another screen is shown first.
            text = definition.read_text()
            screen = re.search(r"^screens:\n  (\w+):", text, re.M)[1]
            definition.write_text(re.sub(rf"\b{screen}\b", "welcome", text))
            service.wait("definitions read")
            changed = ask(client, "POST", "/v1/sessions", {"app": "notes"})
            assert "welcome" in str(changed["tree"])
            assert "welcome" not in str(first["tree"])
        seconds = time.monotonic() - start
        print(f"installed, served and changed within {seconds:.0f} s")
        assert seconds < 120
