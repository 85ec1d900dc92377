"""The deb, the tarball and the list of parts, packed from a program that is already built."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "pages"))

import links
from packages import CAIRN, ROOT, VERSION, Service, ask, folder, packed, run, unpacked


@pytest.fixture(scope="module")
def place():
    with folder() as path:
        yield path


@pytest.fixture(scope="module")
def tarball(place):
    return packed("tarball", place)


@pytest.fixture(scope="module")
def deb(place):
    return packed("deb", place)


@pytest.fixture(scope="module")
def tree(tarball, place):
    return unpacked(tarball, place / "a folder")


def test_the_tarball_runs_from_any_path_and_through_a_symbolic_link(tree, place):
    link = place / "cairn"
    link.symlink_to(tree / "bin/cairn")
    for program in [tree / "bin/cairn", link]:
        assert run(program, "--version", cwd="/", env={"PATH": "/usr/bin:/bin"}).startswith(VERSION)


def test_the_tarball_serves_the_engine_and_an_example(tree, place):
    with Service([tree / "bin/cairn", "serve", "--port", "0", "--database", place / "served.sqlite", "--apps", tree / "share/doc/cairn/config/apps",
                  "--engine", tree / "share/cairn/engine", "--predict", "shop"], cwd=place) as service:
        client = service.client()
        session = ask(client, "POST", "/v1/sessions", {"app": "shop"})
        assert session["app"] == "shop"
        client.request("GET", f"/v1/sessions/{session['id']}", headers={"Authorization": f"Bearer {session['secret']}"})
        response = client.getresponse()
        response.read()
        client.request("GET", response.getheader("Cairn-Engine"))
        response = client.getresponse()
        assert response.status == 200 and response.read(4) == b"\0asm"


def test_the_tarball_brings_every_library_but_glibc_and_libgcc(tree):
    needed = run("ldd", tree / "lib/cairn/cairn", env={"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": str(tree / "lib/cairn")})
    assert "not found" not in needed
    outside = {line.split()[0] for line in needed.splitlines() if "=> /" in line and str(tree) not in line}
    allowed = r"lib(c|m|dl|pthread|rt|resolv|gcc_s)\.so\.\d+"
    assert {name for name in outside if not re.fullmatch(allowed, name)} == set()


def test_each_library_in_the_tarball_has_its_license(tree):
    licenses = {path.name for path in (tree / "share/doc/cairn/licenses").iterdir()}
    assert {"swift", "libcurl4", "libmicrohttpd12", "libsqlite3-0", "libpq5", "libjemalloc2", "libssl3", "GRDB.swift", "Yams", "swift-log"} <= licenses


def test_nothing_in_the_packages_names_a_folder_of_the_machine_that_built_them(tree):
    assert str(ROOT).encode() not in (tree / "bin/cairn").read_bytes()
    assert "/opt/swift" not in run("readelf", "-d", tree / "lib/cairn/cairn")


def test_every_command_has_a_man_page_and_each_shell_a_completion(tree):
    pages = {path.name for path in (tree / "share/man/man1").iterdir()}
    commands = json.loads(run(CAIRN, "--experimental-dump-help"))["command"]["subcommands"]
    assert {f"cairn-{command['commandName']}.1.gz" for command in commands if command["commandName"] != "help"} <= pages
    shown = run("man", "-l", tree / "share/man/man1/cairn-serve.1.gz", env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
    assert "--port" in shown and "cairn serve" in shown
    for name in ["bash-completion/completions/cairn", "zsh/vendor-completions/_cairn", "fish/vendor_completions.d/cairn.fish"]:
        assert "cairn" in (tree / "share" / name).read_text()
    run("bash", "-n", tree / "share/bash-completion/completions/cairn")


def test_the_links_of_the_packaged_pages_lead_to_packaged_files(tree):
    place = tree / "share/doc/cairn"
    pages = [place / "README.md", *place.glob("docs/**/*.md")]
    assert len(pages) > 60
    dead = [(page.name, target) for page in pages for target in links.targets(page) if not (page.parent / target.partition("#")[0]).exists()]
    assert dead == []


def test_lintian_finds_nothing_in_the_deb(deb):
    found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", deb], capture_output=True, text=True)
    assert found.returncode == 0 and found.stdout == "", found.stdout


def test_the_deb_depends_on_the_packages_of_its_libraries_and_keeps_changed_settings(deb, place):
    depends = run("dpkg-deb", "-f", deb, "Depends")
    for package in ["libmicrohttpd12", "libsqlite3-0", "libcurl4", "libssl3", "libpq5", "libjemalloc2", "libc6", "adduser"]:
        assert re.search(rf"(^|, ){re.escape(package)}\b", depends), depends
    run("dpkg-deb", "-e", deb, place / "control")
    assert (place / "control/conffiles").read_text().split() == ["/etc/cairn/cairn.yaml"]
    assert run("dpkg-deb", "-f", deb, "Version").strip() == VERSION


def test_the_deb_has_the_shipped_unit_with_its_own_user_and_the_program_of_the_tarball(deb, tree, place):
    root = place / "deb"
    run("dpkg-deb", "-x", deb, root)
    shipped = (ROOT / "packaging/systemd/cairn.service").read_text()
    unit = (root / "lib/systemd/system/cairn.service").read_text()
    assert "LoadCredential=operators:/etc/cairn/operators" in unit
    assert "\nUser=cairn\n" in unit and "DynamicUser" not in unit and "/usr/local" not in unit
    assert len(unit.splitlines()) == len(shipped.splitlines()) + 1
    settings = (root / "etc/cairn/cairn.yaml").read_text()
    assert set(re.findall(r"^(\w+: [^ ]+)", settings, re.M)) == {
        "apps: /etc/cairn/apps", "database: /var/lib/cairn/cairn.sqlite", "creation: operator"}
    for path in re.findall(r"=(/usr/bin/\S+)", unit):
        assert (root / path[1:]).is_symlink()
    assert (root / "usr/bin/cairn").resolve() == (root / "usr/lib/cairn/cairn").resolve()
    one, other = ((folder / "lib/cairn/cairn").read_bytes() for folder in [root / "usr", tree])
    assert len(one) == len(other)
    assert "[/usr/lib/cairn]" in run("readelf", "-d", root / "usr/lib/cairn/cairn")


def test_the_list_of_parts_names_each_swift_package_and_each_library_with_its_version(tarball, deb):
    document = json.loads(run(ROOT / "scripts/release-sbom", CAIRN, tarball, deb))
    assert document["spdxVersion"] == "SPDX-2.3"
    versions = {part["name"]: part["versionInfo"] for part in document["packages"]}
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        assert versions[pin["identity"]] == pin["state"]["version"]
    for package in ["libmicrohttpd12", "libsqlite3-0", "libcurl4", "libssl3", "libpq5", "libjemalloc2", "libc6"]:
        assert versions[package] == run("dpkg-query", "-W", "-f=${Version}", package).splitlines()[0]
    assert versions["cairn"] == VERSION
    ids = [part["SPDXID"] for part in document["packages"]]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each) for each in ids)
    for relation in document["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= {*ids, "SPDXRef-DOCUMENT"}
    (digest,) = [part["checksums"][0]["checksumValue"] for part in document["packages"] if part["name"] == deb.name]
    assert digest == run("sha256sum", deb).split()[0]
