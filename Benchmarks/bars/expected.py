"""The correct behaviour of lists, links under conditions, assigned facts and secrets. Written only from the documentation, independently of the engine."""

import math
import re
from urllib.parse import unquote, urlsplit

# The first characters of every secret that the drive creates. They occur nowhere else.
SECRET = "hush-"
SCALARS = ["string", "integer", "number", "boolean"]


def list_type(chance, optional=True, like=None):
    """The type of a list, in its short form or as a map. With `like`, a type whose items have the same type, but may have other bounds."""
    word = "optional list" if optional else "list"
    plain = ListType(like).item["type"] if like else chance.choice(SCALARS)
    if chance.randrange(3) == 0:
        return f"{word} of {plain}"
    item = chance.choice([plain] + {
        "string": [{"type": "string", "in": ["a", "b"]}, {"type": "string", "maxLength": 2}, {"type": "string", "pattern": "[a-c]+"}],
        "integer": [{"type": "integer", "min": 0, "max": 7}] * 3}.get(plain, []))
    return {"type": word, "of": item} | chance.choice([
        {}, {"minItems": 1}, {"maxItems": 2}, {"minItems": 1, "maxItems": 3}, {"minItems": 2, "maxItems": 2}])


def as_map(spec):
    """A type as a map, to which members can be added."""
    return spec if isinstance(spec, dict) else {"type": spec}


def kind(value):
    """The name of a JSON value's type."""
    if value is None:
        return "null"
    for name, types in (("boolean", bool), ("integer", int), ("number", float), ("string", str), ("list", list)):
        if isinstance(value, types):
            return name
    return "object"


class ListType:
    """A type of lists."""

    def __init__(self, spec):
        spec = as_map(spec)
        word, _, item = spec["type"].partition(" of ")
        self.is_optional = word.startswith("optional ") or "default" in spec
        self.item = as_map(spec.get("of", item))
        self.least, self.most = spec.get("minItems", 0), spec.get("maxItems", math.inf)

    def fault(self, value):
        """The index of the wrong item, or None for the whole list, and the message; None if the value has the type."""
        if value is None and self.is_optional:
            return None
        if not isinstance(value, list):
            return None, f"must be of type list, not {kind(value)}"
        if not self.least <= len(value) <= self.most:
            return None, f"must have {span(self.least, self.most, 'item')}, not {len(value)}"
        faults = ((index, self.item_fault(item)) for index, item in enumerate(value))
        return next(((index, fault) for index, fault in faults if fault), None)

    def item_fault(self, value):
        """The message about an item; None if it has the type."""
        wanted, found, item = self.item["type"], kind(value), self.item
        if found != wanted and (wanted, found) != ("number", "integer"):
            return f"must be of type {wanted}, not {found}"
        if "in" in item and value not in item["in"]:
            return f"must be one of {', '.join(item['in'])}"
        if "maxLength" in item and len(value) > item["maxLength"]:
            return f"must have {span(0, item['maxLength'], 'character')}, not {len(value)}"
        if "pattern" in item and not re.fullmatch(item["pattern"], value):
            return f"must match the pattern `{item['pattern']}`"
        if "max" in item and not item["min"] <= value <= item["max"]:
            return f"must be from {item['min']} to {item['max']}, not {value}"
        return None

    def fitting(self, chance):
        """A list of this type."""
        values = {"string": ["a", "b"], "integer": [0, 1, 7], "number": [1, 2.5], "boolean": [True, False]}[self.item["type"]]
        return [chance.choice(values) for _ in range(chance.randrange(self.least, min(self.most, self.least + 2) + 1))]

    def drawn(self, chance):
        """A list that fits this type, a list with a wrong item or a wrong number of items, or a value that is not a list."""
        value = self.fitting(chance)
        if chance.randrange(2):
            return value
        others = ["a", "abc", "x", 1, 8, -1, 2.5, True, None, {}]
        if chance.randrange(6) == 0:
            return chance.choice(others)
        for _ in range(chance.randrange(1, 3)):
            value.insert(chance.randrange(len(value) + 1), chance.choice(others))
        return value[chance.randrange(2):]


def span(least, most, noun):
    """Words for a number between two bounds."""
    nouns = noun if (least if most == math.inf else most) == 1 else noun + "s"
    if least == most:
        return f"{least} {nouns}"
    if most == math.inf:
        return f"at least {least} {nouns}"
    return f"{f'from {least} to' if least else 'at most'} {most} {nouns}"


def is_true(condition, facts, screens):
    """The value of a condition on facts and screens. `screens` are the names of the existing screens."""
    for word, combined in (("any", any), ("all", all)):
        if word in condition:
            return combined(is_true(one, facts, screens) for one in condition[word])
    if "not" in condition:
        return not is_true(condition["not"], facts, screens)
    if "screen" in condition:
        return condition["screen"] in screens
    value = facts.get(condition["fact"])
    if "over" in condition:
        return value is not None and value > condition["over"]
    wanted = condition.get("is", True)
    return value is None if wanted == "absent" else kind(value) == kind(wanted) and value == wanted


def link(definition, url, facts, screens):
    """The step that an opened URL sends, with its params, or the code of the refusal. The params are None for a link whose pattern ends with `...}`."""
    parts = urlsplit(url)
    segments = [unquote(one) for one in (parts.netloc + parts.path).split("/")]
    query = dict(one.partition("=")[::2] for one in parts.query.split("&") if one)
    reason = "unknown-link"
    for one in definition["links"]:
        if one.get("scheme") != parts.scheme or "requires" in one:
            continue
        pattern = one["path"].strip("/").split("/")
        rest = pattern[-1].endswith("...}")
        if len(pattern) != len(segments) and not (rest and len(segments) >= len(pattern)):
            continue
        pairs = list(zip(pattern, segments))
        if any(not place.startswith("{") and place != segment for place, segment in pairs):
            continue
        if "when" in one and not is_true(one["when"], facts, screens):
            continue
        if rest:
            return one["send"], None
        texts = {place.strip("{}"): segment for place, segment in pairs if place.startswith("{")}
        texts |= {name: query[name] for name in one.get("query", []) if name in query}
        params = captured(texts, definition["steps"][one["send"]])
        if params is not None:
            return one["send"], params
        reason = "invalid"
    unmatched = definition["linkDefaults"].get("unmatched")
    return (unmatched["step"], {"url": url, "reason": reason}) if unmatched else (reason, None)


def captured(texts, types):
    """The captures, converted to the types of a step's params. None if a capture is missing or cannot be converted. A secret is `true`."""
    values = {}
    for name, spec in types.items():
        spec = as_map(spec)
        word = spec["type"]
        if name not in texts:
            if word.startswith("optional"):
                continue
            return None
        text = texts[name]
        if word.endswith("integer"):
            if not re.fullmatch(r"-?\d+", text) or not spec.get("min", -math.inf) <= int(text) <= spec.get("max", math.inf):
                return None
            values[name] = int(text)
        else:
            values[name] = True if spec.get("secret") else text
    return values


class Shares:
    """The difference between the shares of assigned values and their weights, in standard deviations."""

    def __init__(self):
        self.count, self.sums = 0, [[0.0, 0.0] for _ in range(3)]

    def add(self, definition, facts):
        """Adds the values of the two assigned facts of one label, or of one session without a label."""
        signed = []
        for name in ("variant", "page"):
            fact = definition["facts"][name]
            weights = fact["assign"]
            first = next(iter(weights))
            share = weights[first] / sum(weights.values())
            signed.append(((facts[name] == first) - share, share * (1 - share)))
        signed.append((signed[0][0] * signed[1][0], signed[0][1] * signed[1][1]))
        for total, (value, variance) in zip(self.sums, signed):
            total[0] += value
            total[1] += variance
        self.count += 1

    def deviations(self):
        """The differences of the two facts, and of their product. The last one is small if the facts are independent."""
        return [value / math.sqrt(variance) for value, variance in self.sums if variance]
