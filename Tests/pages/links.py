"""Checks the links of Markdown pages: dead links, and pages that an index does not list."""

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def tracked_pages(root):
    """The Markdown files of a repository, including new ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root, capture_output=True, text=True, check=True)
    return sorted({root / name for name in listed.stdout.splitlines() if (root / name).exists()})


def targets(page):
    """The targets of the links of a page, except for web addresses."""
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text()))
    return [target for target in LINK.findall(text) if not re.match(r"[a-z]+:", target)]


def anchors(page):
    """The anchors of a page's headings, as GitHub generates them."""
    found, counts = set(), {}
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCE.sub("", page.read_text()), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = counts[anchor] = counts.get(anchor, -1) + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def dead(page):
    """The links of a page whose file or heading does not exist."""
    for target in targets(page):
        name, _, anchor = unquote(target).partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            yield target


def unlisted(index):
    """The pages below the folder of an index that the index does not link to."""
    listed = {(index.parent / target.partition("#")[0]).resolve() for target in targets(index)}
    return sorted(set(Path(index.parent).resolve().rglob("*.md")) - listed - {index.resolve()})
