"""Compares two JSON Schemas of the definition language."""

# Members that have no effect on validity, and "$defs", whose schemas are compared through references.
NOTES = {"$schema", "$id", "$defs", "title", "description", "examples", "default", "$comment"}
# Bounds that a later schema may not raise, and those that it may not lower.
LOWER = {"minItems", "minLength", "minimum", "minProperties"}
UPPER = {"maxItems", "maxLength", "maximum", "maxProperties"}


def narrowings(old, new):
    """Returns the places at which `new` may reject a text that `old` accepts, each with the difference. The comparison is structural: it follows both schemas
    together, so it may report a place at which nothing is rejected. A member that this function does not
    know is reported if its two values differ."""
    return Comparison(old, new).found()


class Comparison:
    """The differences of pairs of schemas. All pairs are assumed to have none until one is found, which may cause differences in other pairs."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        # The schemas of each pair, and the differences found so far.
        self.pairs = {}

    def found(self):
        self.at(self.old, self.new, "")
        before = None
        while before != (before := self.progress()):
            for pair, (old, new, differences) in list(self.pairs.items()):
                now = differences or self.values(old, new, "") or self.objects(old, new, "") + self.alternatives(old, new, "")
                self.pairs[pair] = (old, new, now[:5])
        return self.at(self.old, self.new, "#")

    def progress(self):
        """The numbers of pairs, and of pairs with differences. Both only increase."""
        return len(self.pairs), sum(bool(differences) for _, _, differences in self.pairs.values())

    def at(self, old, new, place):
        """Returns the differences of a pair that are known so far."""
        old, new = self.resolved(old, self.old), self.resolved(new, self.new)
        if new is True or new == {} or old is False:
            return []
        if old is True or new is False:
            return [f"{place}: accepts less"]
        _, _, differences = self.pairs.setdefault((id(old), id(new)), (old, new, []))
        return [place + difference for difference in differences]

    @staticmethod
    def resolved(schema, root):
        while isinstance(schema, dict) and "$ref" in schema:
            target = root
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            schema = target
        return schema

    def objects(self, old, new, place):
        found = [f"{place}: requires {name}" for name in new.get("required", []) if name not in old.get("required", [])]
        before, now = old.get("properties", {}), new.get("properties", {})
        rest, others = old.get("additionalProperties", True), new.get("additionalProperties", True)
        for name, schema in before.items():
            if name not in now and others is False:
                found.append(f"{place}/{name}: is missing")
            else:
                found += self.at(schema, now.get(name, others), f"{place}/{name}")
        if self.isObject(old):
            # A name that the old schema accepts like any other.
            for name in now.keys() - before.keys():
                found += self.at(rest, now[name], f"{place}/{name}")
            found += self.at(rest, others, f"{place}/*")
        if "items" in new:
            found += self.at(old.get("items", True), new["items"], f"{place}/items")
        return found

    @staticmethod
    def isObject(schema):
        """Whether the schema describes the members of an object."""
        return schema.get("type", "object") == "object" and not schema.keys() & {"anyOf", "oneOf", "enum"}

    def alternatives(self, old, new, place):
        before = next((old[word] for word in ("anyOf", "oneOf") if word in old), None)
        now = next((new[word] for word in ("anyOf", "oneOf") if word in new), None)
        if now is None:
            return [text for one in before or [] for text in self.at(one, new, place)]
        found = []
        for index, one in enumerate([old] if before is None else before):
            # One of the new alternatives must accept each of the old ones: probably the one at the same place.
            first = None
            for other in [*now[index:], *now[:index]]:
                differences = self.at(one, other, f"{place}/{index}")
                first = first or differences
                if not differences:
                    break
            else:
                found.append(first[0])
        return found

    def values(self, old, new, place):
        found = []
        for word, value in new.items():
            before = old.get(word)
            if word in NOTES or word in {"required", "properties", "additionalProperties", "items", "anyOf", "oneOf"} or before == value:
                continue
            if word == "type":
                types = lambda type: {type} if isinstance(type, str) else set(type)
                kinds = types(before) if before else self.kinds(old)
                if kinds and ("number" in types(value)) and kinds <= types(value) | {"integer"} or kinds and kinds <= types(value):
                    continue
            elif word == "enum" and before is not None and all(one in value for one in before):
                continue
            elif word in LOWER and before is not None and value <= before or word in UPPER and before is not None and value >= before:
                continue
            elif word in LOWER and value == 0:
                continue
            found.append(f"{place}: {word} is {value!r}, was {before!r}"[:300])
        return found

    @staticmethod
    def kinds(schema):
        """The types of the values of an enumeration."""
        names = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", dict: "object", list: "array"}
        return {names[type(value)] for value in schema.get("enum", [])}
