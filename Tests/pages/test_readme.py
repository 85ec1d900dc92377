"""The README's example: its definition, its scenario, and the output of the commands."""

import re

from walkthrough import ROOT, File, parts

README = (ROOT / "README.md").read_text()


def test_the_commands_print_what_the_page_shows(reader):
    assert reader.walk(README) == 2


def test_the_correction_on_the_page_is_valid(reader):
    for part in parts(README):
        if isinstance(part, File):
            (reader.folder / part.name).write_text(part.text.replace("{ present: login }", "{ present: login, replace: true }"))
    code, found = reader.run("cairn test eat.scenarios.yaml && cairn explore eat.yaml")
    assert code == 0, found


def test_the_page_and_its_definition_stay_short():
    assert len(README.splitlines()) <= 110
    definition = next(part for part in parts(README) if isinstance(part, File))
    assert len(definition.text.splitlines()) == int(re.search(r"^## An app in (\d+) lines$", README, re.MULTILINE)[1]) <= 22


def test_a_figure_of_the_page_is_that_of_the_page_with_its_command():
    figures = re.findall(r"[\d.]+ ms\s\([^)]+\)", README)
    measured = " ".join((ROOT / "docs/performance.md").read_text().split())
    assert len(figures) >= 2
    assert [figure for figure in figures if " ".join(figure.split()) not in measured] == []


def test_the_version_is_that_of_the_program(reader):
    version = re.search(r"^This is version (\S+)\. ", README, re.MULTILINE)[1]
    assert reader.run("cairn --version")[1].split()[0] == version
