"""Files for people who work on the project: the list of commands, and the forms of the repository."""

import json
import re
import subprocess

import yaml
from walkthrough import ROOT


def test_make_help_describes_each_command():
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    described = dict(re.findall(r"^make (\S+) +(\S.*)$", shown, re.MULTILINE))
    commands = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE).group(1).split()
    assert sorted(described) == sorted(commands)


def test_the_workflow_runs_the_steps_of_ci():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    steps = [step.get("run") for step in workflow["jobs"]["run"]["steps"]]
    assert steps[-1] == "bash .ci/run"
    assert workflow["jobs"]["run"]["container"].endswith("-bookworm")


def test_every_file_names_the_version_of_the_file_version():
    version = (ROOT / "VERSION").read_text().strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[a-z0-9.]+)?", version)
    assert json.loads((ROOT / "clients/javascript/package.json").read_text())["version"] == version
    assert f"This is version {version}." in (ROOT / "README.md").read_text()
    # A version that is being developed has no heading yet.
    headings = re.findall(r"^## \[(.+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert version in headings or "-" in version
    for file in sorted((ROOT / "packaging/kubernetes").glob("*.yaml")):
        assert set(re.findall(r"cairn:([0-9][^\s\"]*)", file.read_text())) <= {version}, file
