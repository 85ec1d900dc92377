"""A release is built twice, in different folders: the same bytes."""

import json
import os
import shutil
import subprocess

import pytest

from packages import ROOT, folder, run

pytestmark = pytest.mark.skipif(os.environ.get("CAIRN_LONG") != "1", reason="a step of .ci/run-long")
# The image contains the packages that Debian has at the time of the build, and the document and the sums contain the image's checksum.
VARYING = {".oci.tar"}


def release(clone):
    run("git", "clone", "--quiet", ROOT, clone)
    # Without this file a build takes the newest packages that the manifest allows.
    shutil.copy(ROOT / "Package.resolved", clone)
    done = subprocess.run([clone / "scripts/release"], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return dict(reversed(line.split("  ")) for line in (clone / "dist/SHA256SUMS").read_text().splitlines())


def test_two_builds_in_different_folders_give_the_same_bytes():
    with folder() as place:
        one = release(place / "one")
        # One build after the other, and one copy on the disk.
        parts = json.loads((place / "one/dist" / next(name for name in one if name.endswith(".spdx.json"))).read_text())
        shutil.rmtree(place / "one")
        other = release(place / "another-folder")
        assert one.keys() == other.keys()
        differing = {name for name in one if one[name] != other[name]}
        assert {name for name in differing if not name.endswith(tuple(VARYING))} <= {name for name in one if name.endswith(".spdx.json")}
        assert {part["name"] for part in parts["packages"]} >= {name for name in one if not name.endswith(".spdx.json")}
