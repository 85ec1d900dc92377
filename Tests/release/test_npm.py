"""The npm package of the JavaScript client, as scripts/release-npm writes it, and unpacked as npm does in a project of its own."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients/javascript"
sys.path.insert(0, str(ROOT / "Tests/pages"))
from links import dead  # noqa: E402

# An entry of the package, and a name that it exports.
ENTRIES = {
    "cairn-client": "start", "cairn-client/react": "Screens", "cairn-client/react-navigation": "followNavigation",
    "cairn-client/browser-history": "syncHistory", "cairn-client/testing": "runOffline",
}
NAMES = """
const names = {};
for (const entry of process.argv.slice(1)) names[entry] = Object.keys(await import(entry));
console.log(JSON.stringify(names));
"""


def release(folder, root=ROOT, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "CAIRN_REPOSITORY"}
    return subprocess.run([root / "scripts/release-npm", folder], env={**environment, **variables}, capture_output=True, text=True, timeout=60)


def released(folder, root=ROOT, **variables):
    """The path of the package that a successful run writes."""
    made = release(folder, root, **variables)
    assert made.returncode == 0, made.stderr
    return pathlib.Path(made.stdout.strip())


def copied(folder):
    """The files that a package is made of, in another folder, with other times and modes."""
    shutil.copytree(CLIENT, folder / "clients/javascript", copy_function=shutil.copyfile)
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/release-npm", folder / "scripts")
    shutil.copyfile(ROOT / "VERSION", folder / "VERSION")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def node(project, program, *arguments, kind="module"):
    return subprocess.run(["node", f"--input-type={kind}", "-e", program, *arguments], cwd=project, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return released(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def project(package, tmp_path):
    """A project with the unpacked package and with React, whose types are those that the client's tests declare."""
    modules = tmp_path / "node_modules"
    with tarfile.open(package) as tar:
        tar.extractall(tmp_path)
    modules.mkdir()
    (tmp_path / "package").rename(modules / "cairn-client")
    (modules / "react").symlink_to("/usr/share/nodejs/react")
    (modules / "@types/react").mkdir(parents=True)
    shutil.copy(CLIENT / "testing/types/react.d.ts", modules / "@types/react/index.d.ts")
    (modules / "@types/react/package.json").write_text('{ "name": "@types/react", "version": "18.0.0", "types": "index.d.ts" }')
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    return tmp_path


def test_the_package_has_the_client_its_license_and_its_readme_but_no_tests(package):
    with tarfile.open(package) as tar:
        names = [member.name.removeprefix("package/") for member in tar]
        assert all(member.isfile() and (member.uid, member.gid, member.mode) == (0, 0, 0o644) for member in tar)
    assert names == sorted(names)
    others = {name for name in names if not re.fullmatch(r"src/([a-z-]+/)*[a-z-]+(\.d\.ts|\.js)", name)}
    assert others == {"LICENSE", "README.md", "package.json", "react.js", "react-navigation.js", "browser-history.js", "testing.js"}
    assert {str(file.relative_to(CLIENT)) for file in CLIENT.glob("src/**/*.*s")} == set(names) - others


def test_the_same_files_in_another_folder_give_the_same_bytes(package, tmp_path):
    other = released(tmp_path / "dist", copied(tmp_path / "copy"), TZ="Asia/Tokyo", LANG="C")
    assert other.name == package.name == f"cairn-client-{(ROOT / 'VERSION').read_text().strip()}.tgz"
    assert other.read_bytes() == package.read_bytes()


def test_a_package_of_another_version_than_the_project_is_not_written(tmp_path):
    copy = copied(tmp_path / "copy")
    (copy / "VERSION").write_text("9.9.9\n")
    made = release(tmp_path / "dist", copy)
    assert made.returncode == 1 and "must be 9.9.9, as in the file VERSION" in made.stderr
    assert not (tmp_path / "dist").exists()


def test_the_package_names_the_repository_if_its_address_is_given(package, tmp_path):
    def described(path):
        with tarfile.open(path) as tar:
            return json.load(tar.extractfile("package/package.json"))

    named = described(released(tmp_path, CAIRN_REPOSITORY="https://code.example/navigation/cairn"))
    assert named.pop("repository") == {"type": "git", "url": "git+https://code.example/navigation/cairn.git", "directory": "clients/javascript"}
    assert named == described(package)
    refused = release(tmp_path, CAIRN_REPOSITORY="cairn")
    assert refused.returncode == 1 and 'https://, not "cairn"' in refused.stderr


def test_each_file_that_the_description_names_is_in_the_package(project):
    place = project / "node_modules/cairn-client"
    described = json.loads((place / "package.json").read_text())
    entries = [entry for entry in described["exports"].values() if isinstance(entry, dict)]
    typed = [file for files in described["typesVersions"]["*"].values() for file in files]
    for file in [described["main"], described["types"], *described["files"], *typed, *(file for entry in entries for file in entry.values())]:
        assert (place / file).exists(), file
    # `typesVersions` names the same types as `exports`.
    assert {described["types"], *typed} == {entry["types"] for entry in entries}
    assert "repository" not in described


def test_the_readme_has_no_dead_link_in_the_package_and_names_the_package_and_its_size(package, project):
    page = project / "node_modules/cairn-client/README.md"
    assert list(dead(page)) == []
    text = page.read_text()
    assert f"npm install ./{package.name}" in text
    kilobytes = int(re.search(r"the\s+whole\s+package\s+has\s+(\d+)\s+kB", text)[1])
    assert abs(package.stat().st_size / 1000 - kilobytes) < 3, package.stat().st_size


def test_each_entry_can_be_imported(project):
    made = node(project, NAMES, *ENTRIES)
    assert made.returncode == 0, made.stderr
    names = json.loads(made.stdout)
    assert all(name in names[entry] for entry, name in ENTRIES.items()), names
    # CommonJS: `import()` works in each version of Node, and `require` in those that accept ES modules.
    imported = node(project, 'import("cairn-client").then(({ start }) => console.log(typeof start))', kind="commonjs")
    assert imported.stdout == "function\n", imported.stderr
    required = node(project, 'console.log(typeof require("cairn-client").start)', kind="commonjs")
    version = tuple(int(part) for part in subprocess.check_output(["node", "--version"], text=True).strip("v\n").split("."))
    if version >= (22, 12) or (20, 19) <= version < (21,):
        assert required.stdout == "function\n", required.stderr
    else:
        assert "ERR_REQUIRE_ESM" in required.stderr


def test_each_entry_is_found_without_exports(project):
    wanted = json.loads(node(project, NAMES, *ENTRIES).stdout)
    place = project / "node_modules/cairn-client"
    described = json.loads((place / "package.json").read_text())
    del described["exports"]
    (place / "package.json").write_text(json.dumps(described))
    # `require.resolve` reads `main`, and adds the suffix .js, as bundlers do.
    program = "for (const entry of process.argv.slice(1)) console.log(require.resolve(entry));"
    found = node(project, program, *ENTRIES, kind="commonjs").stdout.split()
    assert found[0] == str(place / "src/index.js") and found[1:] == [str(place / f"{entry.partition('/')[2]}.js") for entry in [*ENTRIES][1:]]
    assert list(json.loads(node(project, NAMES, *(f"file://{path}" for path in found)).stdout).values()) == list(wanted.values())


def type_checked(project, resolution):
    """The errors of TypeScript in the programs of the client's tests, which use all entries and expect errors in wrong lines."""
    shutil.copy(ROOT / "Tests/CairnDerivedTests/Golden/delivery.ts.txt", project / "delivery-types.ts")
    for name in ["app.ts", "app-in-react.ts"]:
        (project / name).write_text((CLIENT / "testing/types" / name).read_text().replace('"delivery-types"', '"./delivery-types.js"'))
    files = ["app.ts", "app-in-react.ts"]
    if resolution == "node16":
        files.append("common.cts")
        (project / "common.cts").write_text('export const id = async (): Promise<string> => (await (await import("cairn-client")).resume({ baseURL: "/" }))?.id ?? "";\n')
    options = {
        "strict": True, "noEmit": True, "exactOptionalPropertyTypes": True, "noUncheckedIndexedAccess": True, "target": "es2022", "types": [],
        "lib": ["es2022", "dom", "dom.iterable"], "module": "node16" if resolution == "node16" else "es2022", "moduleResolution": resolution,
    }
    (project / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
    checked = subprocess.run(["tsc", "--project", project], capture_output=True, text=True, timeout=120)
    return checked.stdout.splitlines() if checked.returncode else []


@pytest.mark.parametrize("resolution", ["node", "node16", "bundler"])
def test_typescript_finds_the_types_of_each_entry(project, resolution):
    version = subprocess.check_output(["tsc", "--version"], text=True).split()[1]
    if resolution == "bundler" and int(version.partition(".")[0]) < 5:
        pytest.skip(f"TypeScript {version} has no moduleResolution bundler")
    assert type_checked(project, resolution) == []


def test_typescript_reports_an_entry_whose_types_are_missing(project):
    (project / "node_modules/cairn-client/src/react.d.ts").unlink()
    assert any("app-in-react.ts(1," in error and "cairn-client/react" in error for error in type_checked(project, "node"))
