"""The rules of prose: the wordings that a reader stumbles over, each with what to write instead."""

import re

# (name, pattern, what to write instead). A pattern excludes the good uses of its words, because a rule with many false alarms is useless.
RULES = [
    ("told", r"\b(is|are|was|were|be|been|being) told\b|\btells? (what|who|how|of)\b",
     "name the sender and the standard verb: the store notifies the subscriber, the service returns the reason"),
    ("nobody", r"\b([Ss]omebody|(?<!user )[Nn]obody|[Ww]hoever|[Aa]nybody|[Ee]verybody)\b", "name the caller, the operator, the client, the reader"),
    ("who", r"\b[Ww]ho (asks?|listens?|comes?|has|may|is|speaks?|says?|waits?|wants?|reads?|made|makes?|knows?)\b(?! not)(?![^.]*\?)",
     "use the noun: the caller, the subscriber, the reader"),
    ("what-is", r"(^|[.;:(] ?)What (is|are|was|comes|came|stands|goes|has|had|a|an|the|it|they|follows|begins|lasts)\b(?![^.]*\?)",
     "begin with the noun that the clause stands for"),
    ("is-there", r"\b(that|what|who|one|which) (is|are|was|were) there\b", "say that it exists, or name the one that is meant: the current tag"),
    ("is-none", r"(?<!here )\b(is|are|was|were) none\b(?! of)", "say what is missing, or that it is invalid or absent"),
    ("alone", r"(?<!let )(?<!leave )(?<!left )(?<!stand )\b[a-z]\w* alone\b(?! for its)", "write `only` before the noun"),
    ("else", r"(?<!thing)(?<!body)(?<!where)(?<!one)(?<!or)(?<!then,)(?<!then and) else[.,;:)]", "write `otherwise`, or name the other case"),
    ("place-of", r"\bin (the|its|their) place of\b|\bin (its|their) place\b(?! in)", "write `instead of`, or name the replacement"),
    ("anew", r"\banew\b", "write `again`, or use a verb: restarts, rebuilds"),
    ("meanwhile", r"\b[Mm]eanwhile\b", "name the time: during the commit, until the response"),
    ("is-over", r"\b(is|are|was|were) over\b(?! (\d|a|an|the|its|HTTP|TLS)\b)", "write `has ended`, `has expired` or `exceeds`"),
    ("one-a-noun", r"\b([Oo]ne|[Aa]n?) (?!(?:of|on|in|for|to|as|by|from|with|that|is|has|ends)\b)\w+ an? (session|request|database|process|node|file|room|thread|batch|connection|app|line|second)\b", "write `per`"),
    ("lets-go", r"\b(lets?|letting) go of\b|\btakes? up\b|\btaken up\b", "write `releases`, `accepts`, `starts`"),
    ("private-word",
     r"\b(panorama|onlookers?|tidings?|graves?|bury|buried|mou?lds?|born|births?|overh(ear|ears|eard|earing)|likeness|farewell|patience|asker)\b",
     "use the word of docs/glossary.md"),
    ("citation", r"\b[A-Z]{2}-[\d*]|[( ][A-Z]\d{1,2}[,)]|^[A-Z]\d{1,2}: |\b[Dd]esign( \d|\.md)", "write the reason instead of a number that the repository does not have"),
]
# Further rules for published descriptions: each is read alone, beside the name of a member, a metric, a command or a setting.
DESCRIPTION_RULES = [
    ("fragment", r"^(Of|Behind|Where|How|Why|Who|So) |^(With|Without|By|As|From|In|On|For|Before|After|Until|When)\b[^,;:]*$",
     "begin with the noun that is described: the size, the reason, the time"),
    ("it", r"^(It|Its|They|Their|Those|None|One|He) (?!of )", "name the thing: no sentence before this one says what `it` is"),
    ("headless", r"\b([Tt]he ones? (that|which|who|of)|([Tt]hose|[Oo]nes?|all) (that|which|who)|[Tt]hose of|what (is|are|was|were|it|they))\b",
     "write the noun: the link that, sessions with, the outcome"),
    ("there", r"(?<!\bthat )\b(is|are|was) there\b", "say that it exists, or is missing"),
    ("verb", r"(?i)\b(tells?|told|says?|said|knows|goes|gone|comes?|came|stands?|gives|gave|hears?|heard|meant|looked at|lets|under way)\b",
     "use the verb of the field: returns, reports, names, sends, starts, moves, continues"),
    ("so-many", r"\b[Ss]o (many|long|much|far|few)\b", "name the number or the time: at most 64, up to a minute"),
]
COMPILED = [(name, re.compile(pattern), instead) for name, pattern, instead in RULES]
COMPILED_DESCRIPTION = [(name, re.compile(pattern), instead) for name, pattern, instead in DESCRIPTION_RULES]

# Places that are right: (path, rule, words of the paragraph, reason).
MEASURED = "docs/decisions/0015-what-was-measured-and-what-it-led-to.md"
EXCEPTIONS = [
    (MEASURED, "long-sentence", "push and pop on a stack of 1 / 21 / 1,000", "a row of figures, not a sentence"),
    ("docs/patterns.md", "long-sentence", 'arrives {"category":"item"', "a printed session, which a test compares"),
    ("Sources/CairnServer/Table/Rows/Endpoint+Acting.swift", "fragment", "On my way.", "a user's reply, in an example"),
]

LONGEST_SENTENCE = 35
LONGEST_SUBJECT = 72
SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!\bcf)[.!?][)\"'*_]*\s+(?=[\"'(*_\[]*[A-Zx])")
WORD = re.compile(r"[A-Za-z0-9][\w'’.-]*")


def places(text, kind="comment"):
    """(position, rule) of each place in a text that a rule applies to."""
    for name, pattern, _ in COMPILED + (COMPILED_DESCRIPTION if kind == "description" else []):
        for found in pattern.finditer(text):
            yield found.start(), name


def long_sentences(text):
    """(position, number of words) of each sentence that is too long."""
    start = 0
    for end in [*(found.end() for found in SENTENCE_END.finditer(text)), len(text)]:
        words = len(WORD.findall(text[start:end]))
        if words > LONGEST_SENTENCE:
            yield start, words
        start = end
