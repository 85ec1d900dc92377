"""The shipped YAML files have the same content for other readers, such as PyYAML with YAML 1.1, as for Cairn."""

import json
import os
import subprocess

import pytest
import yaml
from walkthrough import ROOT

CAIRN = os.environ.get("CAIRN", str(ROOT / ".build/debug/cairn"))
LISTED = subprocess.run(["git", "ls-files", "config", "examples", "packaging", "Sources/CairnTemplates"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
FILES = [name for name in LISTED if name.endswith((".yaml", ".yml"))]
DEFINITIONS = [name for name in FILES if name.startswith(("config/apps/", "examples/")) and not name.endswith((".scenarios.yaml", ".migrate.yaml"))]


@pytest.mark.parametrize("name", FILES)
def test_pyyaml_reads_a_shipped_file(name):
    list(yaml.safe_load_all((ROOT / name).read_text()))


@pytest.mark.parametrize("name", DEFINITIONS)
def test_pyyaml_and_cairn_read_the_same_definition(name, tmp_path):
    other = tmp_path / "other.json"
    other.write_text(json.dumps(yaml.safe_load((ROOT / name).read_text())))
    told = subprocess.run([CAIRN, "diff", str(ROOT / name), str(other)], capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("no changes\n", "")
