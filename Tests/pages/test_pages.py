"""Every page is in the index, every link resolves, and the pages about the API and the commands have a row for each endpoint and each command."""

import json
import re
import subprocess

import pytest
from links import dead, tracked_pages, unlisted
from walkthrough import ROOT

METHODS = {"get", "put", "post", "patch", "delete"}


@pytest.mark.parametrize("page", tracked_pages(ROOT), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_resolves(page):
    assert list(dead(page)) == []


def test_the_index_lists_every_page():
    assert unlisted(ROOT / "docs/README.md") == []


def test_a_dead_link_and_an_unlisted_page_are_reported(tmp_path):
    (tmp_path / "other.md").write_text("# A `word`, and\n\n[here](README.md)\n")
    (tmp_path / "third.md").write_text("")
    index = tmp_path / "README.md"
    index.write_text("[a](other.md#a-word-and) [b](other.md#none) [c](gone.md) `[d](gone.md)` [e](https://example.org)\n\n```\n[f](gone.md)\n```\n")
    assert list(dead(index)) == ["other.md#none", "gone.md"]
    assert list(dead(tmp_path / "other.md")) == []
    assert unlisted(index) == [tmp_path / "third.md"]


def test_the_api_page_has_a_row_for_each_endpoint_and_no_other(reader):
    code, document = reader.run("cairn openapi")
    assert code == 0
    served = {f"{method.upper()} {path}" for path, item in json.loads(document)["paths"].items() for method in METHODS & item.keys()}
    section = (ROOT / "docs/api.md").read_text().split("## Endpoints\n")[1].split("\n## ")[0]
    first_column = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([A-Z]+ \S+)`", " ".join(first_column))) == served


def test_the_commands_page_has_a_row_for_each_command_and_no_other(reader):
    code, help_text = reader.run("cairn --help")
    assert code == 0
    commands = set(re.findall(r"^  ([a-z]+)  ", help_text.split("OPTIONS:")[1], re.MULTILINE))
    assert set(re.findall(r"^\| `cairn ([a-z]+)", (ROOT / "docs/commands.md").read_text(), re.MULTILINE)) == commands


def test_the_reference_of_the_language_is_generated_from_the_schema():
    checked = subprocess.run([ROOT / "scripts/language-reference", "--check"], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_words_of_the_glossary_are_in_order():
    words = re.findall(r"^\| ([a-z ]+) \| [A-Z]", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    assert len(words) > 20
    assert words == sorted(words)


@pytest.mark.parametrize("page", tracked_pages(ROOT), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_counts_what_another_one_lists(page):
    counted = r"\b(\d\d?|[a-z]+teen|eight|nine|ten|eleven|twelve|(?:twen|thir|for)ty(?:-[a-z]+)?) (recipes|definitions (?:to copy|that come)|things that|words (?:\||that))"
    assert re.findall(counted, page.read_text(), re.IGNORECASE) == []


def misformed(changelog):
    """The lines of a changelog that are none of these: a heading of a version, group or topic; text before the groups; an entry of one line with a link."""
    heading = r"# Changelog|## (\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)|### (Added|Changed|Deprecated|Removed|Fixed|Security)|#### .+"
    is_text_allowed = True
    for line in changelog.splitlines():
        if line.startswith("#"):
            is_text_allowed = line.startswith(("# ", "## "))
            if not re.fullmatch(heading, line):
                yield line
        elif line and not is_text_allowed:
            entry = re.fullmatch(r"- (.+) \(\[[^\]]+\]\([^)\s]+\)\)", line)
            if not entry or len(re.sub(r"\]\([^)]*\)", "", entry[1])) > 160:
                yield line


def test_the_changelog_has_versions_groups_and_entries_of_one_line_with_a_link():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(r"^## .*$", changelog, re.MULTILINE)[0] == "## [Unreleased]"
    assert list(misformed(changelog)) == []


def test_a_line_of_another_form_is_reported_in_a_changelog():
    good = "# Changelog\n\nText.\n\n## [Unreleased]\n\nText.\n\n### Added\n\n#### Links\n\n- A [b](c.md) ([d](e.md#f))\n\n## [0.1.0] - 2026-01-31\n"
    assert list(misformed(good)) == []
    bad = ["## 0.1.0", "### New", "- No link", "  a second line", f"- {'a' * 161} ([b](c.md))"]
    assert list(misformed(good + "### Fixed\n" + "\n".join(reversed(bad)))) == list(reversed(bad))
