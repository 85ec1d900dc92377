"""A release is built twice, in different folders: the same bytes. A difference is named by the file, and in a program by the section."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest

from packages import CAIRN, ROOT, folder, run, unpacked

# The image contains the packages that Debian has at the time of the build, and the list of parts and the sums contain its checksum.
VARYING = (".oci.tar", ".spdx.json")


def digests(place):
    """The checksum of each file below a folder; in an ELF file, that of each section."""
    found = {}
    for path in sorted(path for path in place.rglob("*") if path.is_file() and not path.is_symlink()):
        name, content = str(path.relative_to(place)), path.read_bytes()
        found[name] = hashlib.sha256(content).hexdigest()
        if content[:4] == b"\x7fELF":
            for section, offset, size in re.findall(r"\] (\S+) +\S+ +[0-9a-f]{16} ([0-9a-f]+) ([0-9a-f]+)", run("readelf", "-SW", path)):
                start = int(offset, 16)
                found[f"{name} {section}"] = hashlib.sha256(content[start:start + int(size, 16)]).hexdigest()
    return found


def differing(one, other):
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def release(clone, place):
    """The checksums of the files of a release, and of the files in its tarball."""
    run("git", "clone", "--quiet", ROOT, clone)
    # Without this file a build takes the newest packages that the manifest allows.
    shutil.copy(ROOT / "Package.resolved", clone)
    done = subprocess.run([clone / "scripts/release"], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    files = dict(reversed(line.split("  ")) for line in (clone / "dist/SHA256SUMS").read_text().splitlines())
    (tarball,) = (clone / "dist").glob("*.tar.zst")
    inside = digests(unpacked(tarball, place))
    # Two clones with their builds would need twice the disk.
    shutil.rmtree(clone)
    shutil.rmtree(place)
    return files, inside


@pytest.mark.skipif(os.environ.get("CAIRN_LONG") != "1", reason="a step of .ci/run-long")
def test_two_builds_in_different_folders_give_the_same_bytes():
    with folder() as place:
        files, inside = release(place / "one", place / "tree")
        other_files, other_inside = release(place / "another-folder", place / "tree")
        assert differing(inside, other_inside) == []
        assert [name for name in differing(files, other_files) if not name.endswith(VARYING)] == []


def test_a_difference_is_named_by_the_file_and_the_section():
    with folder() as place:
        for name in ["one", "other"]:
            (place / name).mkdir()
            shutil.copy(CAIRN, place / name / "program")
            (place / name / "text").write_text(name)
        with open(place / "other/program", "r+b") as file:
            content = file.read()
            file.seek(content.index(b"the command "))
            file.write(b"THE")
        found = differing(digests(place / "one"), digests(place / "other"))
        assert found == ["program", "program .rodata", "text"], found
