"""The walkthrough of a release: its commands, and its migration, which is the one of examples/releases."""

from walkthrough import ROOT, File, parts

PAGE = (ROOT / "docs/release-walkthrough.md").read_text()


def lines(text):
    """The lines of a migration without comments and paths."""
    return [line for line in text.splitlines() if not line.lstrip().startswith(("#", "from:", "to:"))]


def test_the_commands_of_the_release_print_what_the_page_shows(reader):
    assert reader.walk(PAGE) == 42


def test_the_migration_of_the_page_is_the_one_of_the_examples():
    document = next(part.text for part in parts(PAGE) if isinstance(part, File) and part.name == "delivery.migrate.yaml")
    corrected = document.replace("{ popTo: email }", "remove")
    assert lines(corrected) == lines((ROOT / "examples/releases/delivery.migrate.yaml").read_text())
