"""The page about an app that works offline: its example passes its scenarios, and the page shows the example's files."""

import re

from walkthrough import ROOT

PAGE = (ROOT / "docs/offline-app.md").read_text()
SHOWN = re.findall(r"^```(?:js|yaml) (examples/\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_shows_lines_of_the_examples_files():
    assert {name.split("/")[-1] for name, _ in SHOWN} == {"inspections.yaml", "inspections.scenarios.yaml", "app.js", "worker.js"}
    for name, text in SHOWN:
        assert text in (ROOT / name).read_text(), name


def test_the_definition_and_the_worker_are_shown_as_a_whole():
    whole = [name for name, text in SHOWN if text == (ROOT / name).read_text()]
    assert whole == ["examples/offline-web/inspections.yaml", "examples/offline-web/worker.js"]


def test_the_worker_has_at_most_30_lines():
    assert len((ROOT / "examples/offline-web/worker.js").read_text().splitlines()) <= 30


def test_the_scenarios_of_the_example_pass(reader):
    code, text = reader.run(f"cairn test {ROOT}/examples/offline-web/inspections.scenarios.yaml")
    assert (code, text.strip()) == (0, "3 passed, 0 failed")
