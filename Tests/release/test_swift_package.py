"""An app that uses the Swift client as docs/swift-client.md shows: it resolves no package but Cairn's. With CAIRN_LONG=1, the app is also built, and runs."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/swift-client.md").read_text()
PROGRAM = """
import CairnClient
import CairnCore
import Foundation

@main struct App {
  static func main() async {
    let client = CairnClient(url: URL(string: "http://127.0.0.1:1")!, retry: .never)
    do throws(ClientError) {
      _ = try await client.start(app: "shop")
    } catch {
      print(Gesture.back, error.text)
    }
  }
}
"""


def git(folder, *arguments):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A repository with one commit, which contains this work tree and has the version's tag."""
    folder = tmp_path_factory.mktemp("published") / "cairn"
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "The release")
    git(folder, "tag", (ROOT / "VERSION").read_text().strip())
    return f"file://{folder}"


@pytest.fixture(scope="module")
def app(address, tmp_path_factory):
    """The app of the page, with the address of the repository."""
    folder = tmp_path_factory.mktemp("app")
    manifest = re.search(r"<!-- package -->\n```swift\n(.*?)```", PAGE, re.DOTALL)[1]
    assert "https://code.example/cairn" in manifest
    (folder / "Package.swift").write_text(manifest.replace("https://code.example/cairn", address))
    (folder / "Sources/app").mkdir(parents=True)
    (folder / "Sources/app/App.swift").write_text(PROGRAM)
    return folder


def swift(app, *arguments, timeout):
    """Runs a command in the app's folder with a cache of its own, and without the settings of the project's own builds."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
    command, *others = arguments
    made = subprocess.run(["swift", command, "--cache-path", app / "cache", *others], cwd=app, env=environment, capture_output=True, text=True, timeout=timeout)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def test_an_app_resolves_no_package_of_the_service(app):
    swift(app, "package", "resolve", timeout=300)
    assert [pin["identity"] for pin in json.loads((app / "Package.resolved").read_text())["pins"]] == ["cairn"]
    assert [folder.name for folder in (app / ".build/checkouts").iterdir()] == ["cairn"]


@pytest.mark.skipif(os.environ.get("CAIRN_LONG") != "1", reason="builds for minutes: set CAIRN_LONG=1")
def test_the_app_is_built_and_runs_without_the_libraries_of_the_service(app):
    swift(app, "build", timeout=1800)
    program = app / ".build/debug/app"
    assert re.match(r"back the service cannot be reached: ", subprocess.run([program], capture_output=True, text=True, timeout=60).stdout)
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    assert "libc.so" in linked and not re.search("microhttpd|sqlite|libpq|jemalloc", linked), linked
