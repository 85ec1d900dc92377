"""Tests of the walkthrough: which output it accepts for a page, and which it rejects."""

import pytest
from walkthrough import Command, File, matches, parts

PAGE = """
```yaml app.yaml
app: a
```

```console
$ echo one
one
$ cd ..
```

```sh
not run
```
"""


def test_the_parts_of_a_page():
    assert list(parts(PAGE)) == [File("app.yaml", "app: a\n"), Command("echo one", "one"), Command("cd ..", "")]


@pytest.mark.parametrize(
    ("expected", "found"),
    [("a b", "a b"), ("a … c", "a b c"), ("…\nb\n…", "a\na\nb\nc"), ("…\nb\n…", "b"), ("in 1 states, 0.0 s", "in 1 states, 12.34 s")],
)
def test_an_output_that_matches(expected, found):
    assert matches(expected, found)


@pytest.mark.parametrize(
    ("expected", "found"), [("a b", "a  b"), ("a", "a\nb"), ("a … c", "a\nc"), ("…\nb", "b\nc"), ("", "a"), ("in 1 states, 0.0 s", "in 2 states, 0.0 s")])
def test_an_output_that_does_not_match(expected, found):
    assert not matches(expected, found)


def test_variables_and_the_folder_persist_between_commands(reader):
    page = "```console\n$ mkdir a && cd a && export NAME=one\n```\n\n```text note.txt\nhere\n```\n\n```console\n$ echo $NAME; cat note.txt\none\nhere\n```\n"
    assert reader.walk(page) == 2
    assert (reader.folder / "a/note.txt").read_text() == "here\n"


@pytest.mark.parametrize("page", ["```console\n$ echo one\ntwo\n```\n", "```console\n$ false\n```\n", "```console\n$ echo one\n```\n"])
def test_a_page_with_another_output_fails(reader, page):
    with pytest.raises(AssertionError):
        reader.walk(page)
