"""scripts/check-prose reports the wordings of its rules, and nothing in plain English."""

import subprocess
import sys

import pytest
from walkthrough import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
from prose.blocks import blocks  # noqa: E402
from prose.rules import DESCRIPTION_RULES, EXCEPTIONS, RULES, long_sentences, places  # noqa: E402

STUMBLES = {
    "told": "A subscriber is told of each commit.",
    "nobody": "Somebody holds the lock.",
    "who": "Finds out who asks.",
    "what-is": "What is kept of a response.",
    "is-there": "Uses the tag that is there.",
    "is-none": "A date that is none throws.",
    "alone": "Reads the header alone.",
    "else": "Otherwise it stays, or goes else.",
    "place-of": "Puts a value in the place of another.",
    "anew": "Reads the file anew.",
    "meanwhile": "Holds the link meanwhile.",
    "is-over": "Ends when the time is over.",
    "one-a-noun": "Writes one line a request.",
    "lets-go": "Lets go of it, and takes up the next.",
    "private-word": "An onlooker of the panorama.",
    "citation": "Waits for the deadline (D45).",
}
DESCRIPTION_STUMBLES = {
    "fragment": "Of a modal: the level.",
    "it": "It was taken.",
    "headless": "The link that was held, or the one that takes the URL.",
    "there": "no screen of that name is there",
    "verb": "Tells each change as it comes.",
    "so-many": "Waits so many seconds.",
}
GOOD_DESCRIPTIONS = [
    "Whether statements are prepared on PostgreSQL; must be false behind a pooler in transaction mode.",
    "The node to which the step is posted, such as n7. One of the app's screens.",
    "When it is full, requests get 503.",
]
GOOD = [
    "There is none. Nothing else. Please leave it alone. HTTP is over TLS. What is a session? One of a session's changes.",
    "Returns the deadline of the operation in progress; `nil` if no operation is in progress.",
]


def found(path, text):
    """The kinds of the blocks of a file in which a rule applies, sorted."""
    return sorted(block.kind for block in blocks(path, text) for _ in places(block.joined()[0], block.kind))


def test_each_rule_has_a_case():
    assert STUMBLES.keys() == {name for name, _, _ in RULES}


@pytest.mark.parametrize("rule", STUMBLES)
def test_each_wording_is_reported(rule):
    assert rule in {name for _, name in places(STUMBLES[rule])}


@pytest.mark.parametrize("text", GOOD)
def test_plain_english_is_not_reported(text):
    assert list(places(text)) == []


def test_each_rule_of_descriptions_has_a_case():
    assert DESCRIPTION_STUMBLES.keys() == {name for name, _, _ in DESCRIPTION_RULES}


@pytest.mark.parametrize("rule", DESCRIPTION_STUMBLES)
def test_each_wording_is_reported_in_a_description_only(rule):
    assert rule in {name for _, name in places(DESCRIPTION_STUMBLES[rule], "description")}
    assert rule not in {name for _, name in places(DESCRIPTION_STUMBLES[rule], "comment")}


@pytest.mark.parametrize("text", GOOD_DESCRIPTIONS)
def test_a_plain_description_is_not_reported(text):
    assert list(places(text, "description")) == []


@pytest.mark.parametrize("exception", EXCEPTIONS)
def test_each_exception_is_needed(exception):
    path, _, words, reason = exception
    assert reason and words in (ROOT / path).read_text(encoding="utf-8")


def test_a_sentence_has_at_most_35_words():
    assert list(long_sentences("word " * 35 + ". " + "Word " * 35)) == []
    assert [words for _, words in long_sentences("Short. W" + "ord " * 36)] == [36]


def test_comments_messages_names_and_pages_are_read():
    swift = '/// Read\n/// anew.\nlet a = "read this anew", b = "anew", c = `anew`\nfunc `it is read anew`() {} // anew\n'
    assert found("Sources/A.swift", swift) == ["comment", "comment", "message", "name"]
    assert found("Sources/cairn/A.swift", swift) == ["comment", "comment", "description", "name"]
    assert found("Sources/CairnAPI/A.swift", 'about("Of it.", "short name")') == ["description"]
    assert found("Tests/A.swift", swift) == ["comment", "comment", "name"]
    assert found("page.js", 'f("reads it all anew") /** anew */') == ["comment", "message"]
    assert found("a.md", "# anew\n\nanew `anew`\n\n```\nanew\n```\n| anew |\n") == ["heading", "page", "page"]
    assert found("a.py", '"""It: anew."""\nx = 1  # anew\n') == ["comment", "comment"]
    assert found("a.yaml", "# anew\na: anew # anew\n") == ["comment", "comment"]


def test_a_place_is_printed_with_its_line_and_fails_the_check(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Good.\n\nReads it anew.\n")
    ran = subprocess.run([sys.executable, ROOT / "scripts/check-prose", page], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[0] == f"{page}:3: anew: Reads it anew."
    assert ran.stdout.splitlines()[-1].startswith("prose: ")
