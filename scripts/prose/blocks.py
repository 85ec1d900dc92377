"""Finds the prose of a file: comments, messages, names of tests and the text of pages, in blocks of lines that belong together."""

import re
from dataclasses import dataclass

# Matches a comment, a string or a quoted identifier, whichever begins first. The name of the group says which.
C_LIKE = re.compile(
    r"(?P<line>//.*)"
    r"|(?P<block>/\*[\s\S]*?\*/)"
    r'|(?P<long>(?P<raw3>\#*)"""[\s\S]*?"""(?P=raw3))'
    r'|(?P<string>(?P<raw>\#*)"(?:\\.|[^"\\\n])*"(?P=raw)|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<quoted>`(?:\\.|[^`\\])*`)"
)
PYTHON = re.compile(
    r"(?P<line>\#.*)"
    r'|(?P<long>[rbf]*"""[\s\S]*?""")'
    r"|(?P<string>[rbf]*\"(?:\\.|[^\"\\\n])*\"|[rbf]*'(?:\\.|[^'\\\n])*')"
)
HASH = re.compile(r"(?:(?<=\s)|(?<![\s\S]))(?P<line>\#.*)")
SQL = re.compile(r"(?P<line>--.*)")
MARKUP = re.compile(r"(?P<block><!--[\s\S]*?-->)|(?P<text>(?<=>)[^<>{}]+(?=<))|(?P<string>(?<=(?:title|label)=)\"[^\"]*\"|(?<=placeholder=)\"[^\"]*\")")

READERS = {
    (".swift", ".js", ".mjs", ".ts", ".c", ".h", ".css", ".modulemap"): C_LIKE,
    (".py",): PYTHON,
    (".yaml", ".yml", ".sh", "Makefile", "Dockerfile", ".service", ".conf", ".toml"): HASH,
    (".sql", ".lua"): SQL,
    (".html",): MARKUP,
}

# Interpolated values, code in backquotes, link targets and URLs are not prose. They are replaced by text of the same length, so that line numbers remain right.
NOT_PROSE = re.compile(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^{}]*\}|`[^`]*`|(?<=\])\([^()\s]*\)|https?://\S+")
# Three words in a row. A string with fewer words is a name and not a message.
WORDY = re.compile(r"[A-Za-z][a-z']*,? [a-z']+,? [a-z']+")
# The folders whose messages are published descriptions: of the API, of metrics, and of commands and settings. There two words are a description
# if they begin like a sentence.
DESCRIBED = ("Sources/CairnAPI/", "Sources/CairnServer/Table/", "Sources/CairnServer/Telemetry/", "Sources/cairn/")
DESCRIPTION = re.compile(WORDY.pattern + r"|^[A-Z][a-z']* [a-z']+\.?$")


@dataclass
class Block:
    """Lines of prose that are read as one text; `kind` is `comment`, `message`, `description`, `name`, `page` or `heading`."""

    kind: str
    lines: list  # (line number, text)

    def joined(self):
        """The text in one line, and a function from a position in it to the line number."""
        starts, parts, length = [], [], 0
        for number, text in self.lines:
            starts.append((length, number))
            parts.append(text)
            length += len(text) + 1
        text = " ".join(parts)
        text = NOT_PROSE.sub(lambda found: "x" * len(found.group()), text)
        return text, lambda position: [number for start, number in starts if start <= position][-1]


def blocks(path, text):
    """The blocks of prose of a file; none if it is of a kind that has no prose."""
    if path.endswith(".md"):
        yield from page(text)
        return
    reader = next((reader for ends, reader in READERS.items() if path.endswith(ends)), None)
    if reader is None and text.startswith("#!"):
        reader = PYTHON if "python" in text.partition("\n")[0] else HASH
    if reader:
        yield from source(path, text, reader)


def page(text):
    """The paragraphs, list items, headings and table cells of a page, without its code."""
    lines, fenced = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        bare = line.strip()
        begins = re.match(r"([-*>#]+|\d+\.) |\|", bare)
        if lines and (begins or not bare or fenced):
            yield Block("page", lines)
            lines = []
        if bare.startswith("#") and not fenced:
            yield Block("heading", [(number, bare.lstrip("# "))])
            continue
        if bare.startswith("|"):
            yield from (Block("page", [(number, cell.strip())]) for cell in re.split(r"(?<!\\)\|", bare) if cell.strip(" -:"))
        elif bare and not fenced:
            lines.append((number, bare[begins.end():] if begins else bare))
    if lines:
        yield Block("page", lines)


def source(path, text, reader):
    """The comments of a source file, its messages unless it is a test, and the sentences that name its tests."""
    test = path.startswith(("Tests/", "Fuzz/", "Benchmarks/"))
    literal, wordy = ("description", DESCRIPTION) if path.startswith(DESCRIBED) else ("message", WORDY)
    lines, last = [], 0
    for found in reader.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        kind, token = found.lastgroup, found.group()
        if found.groupdict().get("long") is not None:
            kind = "long"
        elif found.groupdict().get("string") is not None:
            kind = "string"
        if kind == "line":
            bare = re.sub(r"^(///?|--|#+!?)\s?", "", token).strip()
            trailing = text[text.rfind("\n", 0, found.start()) + 1:found.start()].strip()
            begins = re.match(r"(- |\* |\d+\. |swift-format-ignore|MARK:)", bare)
            if lines and (number != last + 1 or not bare or begins or trailing or "   " in bare):
                yield Block("comment", lines)
                lines = []
            if bare and not token.startswith("#!"):
                lines.append((number, bare))
            last = number if not trailing and "   " not in bare else 0
        elif kind == "block" or kind == "long" and is_docstring(text, found.start(), reader):
            bare = [line.strip().strip("/*").strip('"').strip() for line in token.replace("<!--", "").replace("-->", "").split("\n")]
            yield from paragraphs("comment", number, bare)
        elif kind == "quoted" and path.endswith(".swift"):
            if " " in token:
                yield Block("name", [(number, token.strip("`"))])
        elif not test:
            bare = [line.strip().rstrip("\\").strip() for line in token.strip("#rbf").strip("\"'`").split("\n")]
            if kind != "text" or WORDY.search(token):
                yield from (block for block in paragraphs(literal, number, bare) if wordy.search(block.joined()[0]))
    if lines:
        yield Block("comment", lines)


def is_docstring(text, start, reader):
    """Whether a long string of Python begins a module, a class or a function."""
    return reader is PYTHON and re.search(r"(^|:\n|\w\n\n?|#!.*\n)\s*$", text[:start]) is not None


def paragraphs(kind, first, lines):
    """Divides lines at the empty ones and at list items."""
    gathered = []
    for number, line in enumerate(lines, first):
        if gathered and (not line or line.startswith(("- ", "* "))):
            yield Block(kind, gathered)
            gathered = []
        if line:
            gathered.append((number, line))
    if gathered:
        yield Block(kind, gathered)
