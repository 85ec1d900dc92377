"""Unusual definitions: every operation in every kind of flow, guards, timers, loads and messages that trigger each other, times, calculations, bounds,
lists, links under conditions, assigned facts and secrets. Each has a second version with migrations."""

import json
import subprocess

from bars import expected

SCREENS = ["home", "basket", "detail", "notice", "asked"]
STEPS = ["go", "back", "pick", "more", "ask", "done", "twist"]
# The steps that only the definition sends. Each is sent by one kind of timer, message or condition. The root flow handles them.
OWN_STEPS = ["waited", "departed", "rang", "idled", "paid", "payFailed", "opened", "nightBegan", "wasPassed", "wasBetween", "wasAssigned"]
# The steps of links under conditions, in the order of the links, and the step of URLs that no link matches. Only links send them. The root flow handles them.
LINKED, UNMATCHED = ["linkedFirst", "linkedSecond", "linkedThird"], "linkLost"
# The steps with a secret. Clients, notifications and loads send the first one; only a link sends the second one.
SEALED, LINKED_SECRET = "sealed", "linkedSecret"
# Members of content that are written by calculations, counts and additions to missing members, and a member that is removed.
CALCULATED, REMOVED = ["sum", "size", "tally"], "mark"
# Moments at which manual clocks start: just before the clocks in Berlin change, and before its new year.
STARTS = ["2027-03-28T00:59:56Z", "2026-10-25T00:59:56Z", "2026-12-31T22:59:56Z"]
# Values of the facts `until` and `zone`. The last value of each is invalid.
MOMENTS = ["2027-03-28T01:00:01Z", "2026-10-25T02:59:59.5+02:00", "2026-12-31T23:00:03Z", "2027-02-30T00:00:00Z"]
ZONES = ["Europe/Berlin", "America/New_York", "Europe/Atlantis"]
TIMES = ["00:00", "02:00", "02:30", "03:00"]
# Values of the fact `code`. The last two are out of bounds.
CODES = ["ab", "c7", "abcd", ""]
FLOWS = ["main", "bar", "halves", "leaf", "inner", "choice"]
# The screens and steps that a second version may rename. These words have no other meaning in a definition.
RENAMED_SCREENS = ["home", "basket", "detail", "notice", "asked"]
RENAMED_STEPS = ["go", "more", "ask", "done", "twist", "rang", "paid"]


def write(folder, chance, count, cairn):
    """Writes `count` definitions that `check` accepts to files in the folder. Returns their names."""
    names = []
    while len(names) < count:
        batch = []
        for _ in range(count * 4):
            name = f"odd-{len(names) + len(batch)}-{chance.randrange(10**6)}"
            file = folder / f"{name}.yaml"
            file.write_text(json.dumps(App(chance).definition(name)))
            batch.append(file)
        text = subprocess.run([cairn, "check", *map(str, batch)], stdout=subprocess.PIPE, text=True, check=False).stdout
        good = {line.partition(": ")[0] for line in text.splitlines() if line.endswith(", ok")}
        for file in batch:
            if str(file) in good and len(names) < count:
                names.append(file.stem)
            else:
                file.unlink()
    return names


class Release:
    """The second version of a definition: some screens and steps have other names, one screen may be gone, and there is a new fact."""

    def __init__(self, first, chance):
        self.names = {screen: f"{screen}Next" for screen in chance.sample(RENAMED_SCREENS, chance.randrange(1, 4))}
        self.names |= {step: f"{step}Next" for step in chance.sample(RENAMED_STEPS, chance.randrange(1, 4))}
        screens = {old: {"to": new} for old, new in self.names.items() if old in SCREENS}
        if chance.randrange(2):
            gone, other = chance.sample(SCREENS, 2)
            self.names[gone] = self.names.get(other, other)
            target = self.names[gone]
            screens[gone] = chance.choice([{"to": target}, {"popTo": target}, {"replace": target}, "remove"])
        self.definition = self.renamed(first)
        self.definition["facts"]["since"] = {"type": "integer", "default": 2}
        # In the other direction, a name that replaces two screens is mapped to one of them.
        back = {new: old for old, new in self.names.items()}
        self.forward = {"screens": screens, "steps": {old: {"to": new} for old, new in self.names.items() if old in RENAMED_STEPS}}
        self.forward["rules"] = chance.choice(["none", "run"])
        self.backward = {
            "screens": {new: {"to": old} for new, old in back.items() if old in SCREENS and new not in SCREENS},
            "steps": {new: {"to": old} for new, old in back.items() if old in RENAMED_STEPS}, "facts": {"since": "remove"}}

    def renamed(self, value, parent=None):
        """Returns a value of the first version, or an action for it, with the names of the second version."""
        if isinstance(value, dict):
            named = parent in ("screens", "steps", "handle")
            return {self.names.get(key, key) if named else key: self.renamed(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self.renamed(element, parent) for element in value]
        return self.names.get(value, value) if isinstance(value, str) else value


class App:
    """One definition under construction."""

    def __init__(self, chance):
        self.chance = chance

    def heads(self, one_in=2):
        return self.chance.randrange(one_in) == 0

    def definition(self, name):
        chance = self.chance
        # All screens have the same bounds, because a migration may turn each screen into another one.
        screen_id = self.number()
        self.tags = expected.list_type(chance)
        self.fact_tags = expected.list_type(chance, optional=False, like=self.tags)
        pin = {"type": "optional string", "secret": True}
        screen_params = {"id": screen_id, "tags": self.tags, "pin": pin}
        return {
            "app": name,
            "language": 1,
            "root": {"flow": "main", "start": "begin"},
            "compat": {"covered": chance.choice(["accept", "refuse"]), "unhandled": chance.choice(["parent", "drop"]), "words": ["end", "listen", "show"]},
            "allowHosts": ["bank.example"],
            "facts": {"on": {"type": "boolean", "default": False}, "count": {"type": "integer", "default": 0, "min": -1, "max": 5}, "name": "string",
                      "wide": {"type": "boolean", "default": True, "by": "client"}, "until": {"type": "optional string", "by": "client"},
                      "zone": {"type": "string", "default": ZONES[0], "by": "client"},
                      "code": {"type": "optional string", "by": "client"} | chance.choice([
                          {"pattern": "[a-c]+\\d?", "maxLength": 3}, {"minLength": 2, "maxLength": 3}]),
                      "tags": expected.as_map(self.fact_tags) | {"default": expected.ListType(self.fact_tags).fitting(chance), "by": "client"},
                      "variant": {"type": "string", "in": ["short", "long"], "assign": {"short": chance.randrange(1, 4), "long": 3}},
                      "page": {"type": "string", "in": ["none", "a", "b"], "assign": {"a": 1, "b": chance.randrange(1, 4)}}},
            "screens": {screen: {"params": screen_params, "emits": [*STEPS, SEALED]} | self.sent("seen", 6) | self.sent("unseen", 8) for screen in SCREENS},
            "steps": {step: {"id": self.number(), "tags": self.tags} for step in STEPS + OWN_STEPS + LINKED} | {
                UNMATCHED: {"url": "string", "reason": "string"}, SEALED: {"pin": pin},
                LINKED_SECRET: {"pin": {"type": "string", "secret": True}, "q": "integer"}},
            "rules": [{"when": self.passed(), "send": "opened"}] * self.heads(3) + [{"when": self.between(), "send": "nightBegan"}] * self.heads(4) + (
                [{"when": self.fact(), "send": chance.choice(STEPS)}] if self.heads(4) else [
                {"when": {"fact": "appState", "is": "background"}, "send": chance.choice(STEPS), "to": chance.choice(FLOWS)},
                {"when": {"fact": "away", "over": "2s"}, "send": chance.choice(STEPS)}]),
            "flows": {
                "main": {"stack": [], "handle": {"begin": {"push": self.node(born=True)}} | self.handlers("stack") | self.late_handlers() | (
                    self.link_handlers())} | self.idle(2),
                "bar": {"tabs": [self.node(born=True)] + [self.node(born=True) | self.gate() for _ in range(chance.randrange(0, 3))],
                        "reselect": chance.choice(["popToRoot", "none", self.step()]), "back": chance.choice(["none", "first", "order", "history"]),
                        "handle": self.handlers("tabs")},
                "halves": {"split": {"master": [self.screen()], "detail": self.screen()},
                           "collapse": {"fact": "wide", "is": False}, "handle": self.handlers("split")},
                "leaf": {"screen": chance.choice(SCREENS), "handle": self.handlers("screen")},
                "inner": {"stack": chance.choice(SCREENS), "gives": {"id": "optional integer"}, "handle": self.handlers("giving")} | self.idle(4),
                "choice": {"switch": ["inner", "leaf", "bar"], "handle": self.handlers("switch")},
            },
            "linkDefaults": {"holdAtMost": chance.randrange(1, 4), "else": chance.choice(STEPS)} | (
                {"unmatched": {"step": UNMATCHED, "to": "root"}} if self.heads() else {}),
            "links": self.conditional_links() + [
                {"scheme": "odd", "path": "/pick/{id}", "send": "pick"},
                {"scheme": "odd", "path": "/all/{id}", "send": chance.choice(STEPS), "to": "all"},
                {"scheme": "odd", "path": "/sealed/{pin}", "query": ["q"], "send": LINKED_SECRET, "to": "root"} | (
                    {"when": self.plain_condition()} if self.heads() else {}),
                {"host": "odd.example", "path": "/items/{id}", "requires": self.fact(), "holdFor": chance.choice(["3s", "1h"]), "send": ["go", "pick"]},
            ] + ([{"scheme": "odd", "path": "/rest/{rest...}", "send": chance.choice(STEPS), "to": chance.choice(FLOWS)}] if self.heads() else []),
            "notifications": {"values": {"pin": "/data/pin"}, "take": [
                {"category": "gate", "send": SEALED, "to": "root"},
                {"category": "chat", "how": "reply", "send": SEALED, "with": {"pin": "$reply"}, "to": "root"}]},
        }

    def conditional_links(self):
        """Links for one pattern, each under a condition that the drive can evaluate. In half of the cases, the last link has no condition."""
        steps = LINKED[:self.chance.randrange(1, len(LINKED) + 1)]
        links = [{"scheme": "odd", "path": "/when/{id}", "when": self.plain_condition(), "send": step, "to": "root"} for step in steps]
        if self.heads():
            del links[-1]["when"]
        return links

    def plain_condition(self):
        """A condition on facts and screens."""
        chance = self.chance
        one = chance.choice([
            {"fact": "on"}, {"fact": "wide", "is": False}, {"fact": "count", "over": chance.randrange(2)}, {"fact": "variant", "is": "long"},
            {"screen": self.screen()}, {"fact": "code", "is": "absent"}, {"fact": "tags", "is": self.fact_list()}])
        return chance.choice([one, one, {"not": one}, {"any": [one, {"fact": "on"}]}, {"all": [one, {"fact": "wide"}]}])

    def link_handlers(self):
        """Handlers of the root flow for the steps of links and the steps with a secret."""
        return {step: self.operations("stack") if self.heads(3) else {"push": {"screen": self.screen()} | self.tagged()} for step in LINKED} | {
            UNMATCHED: self.chance.choice([[], {"present": {"screen": self.screen()}, "level": 9, "replace": True}]),
            SEALED: self.sealed(), LINKED_SECRET: self.sealed()}

    def sealed(self):
        """An operation that forwards a secret, or writes a secret from a response."""
        card = {"get": "https://bank.example/card", "secret": ["code"]}
        return [{"push": {"screen": self.screen(), "with": {"pin": "$pin"}}}, self.chance.choice([
            {"load": card | {"then": {"step": SEALED, "with": {"pin": "$result.code"}}}}, {"load": card},
            {"load": {"post": "https://bank.example/check", "body": {"pin": "$pin"}, "secret": ["code"]}}, "pop"])]

    def tagged(self):
        """A param with a list, either from the step or as a literal."""
        return {"with": {"tags": self.chance.choice(["$tags", expected.ListType(self.tags).fitting(self.chance)])}}

    def fact_list(self):
        return expected.ListType(self.fact_tags).fitting(self.chance)

    def number(self):
        """The type of a param."""
        return self.chance.choice(["optional integer", {"type": "optional integer", "min": 0, "max": 7}])

    def fact(self):
        return self.chance.choice([
            {"fact": "on"}, {"fact": "on", "is": False}, {"fact": "count", "is": self.chance.randrange(3)},
            {"fact": "name", "is": "present"}, {"fact": "accessToken", "is": "absent"}, self.passed(), self.between(),
        ])

    def passed(self):
        value = self.chance.choice(["$fact.until", "$fact.until", self.chance.choice(MOMENTS[:3])])
        return {"passed": value} | ({"before": "2s"} if self.heads(3) else {})

    def between(self):
        return {"between": self.chance.sample(TIMES, 2), "zone": self.chance.choice(["$fact.zone", ZONES[0]])}

    def idle(self, one_in):
        return {"idle": {"for": f"{self.chance.randrange(1, 5)}s", "send": "idled"}} if self.heads(one_in) else {}

    def late_handlers(self):
        """Handlers of the root flow with late operations, and handlers of the steps that only the definition sends."""
        steps = self.chance.sample(STEPS, 3)
        return {step: self.late_handler() for step in steps} | {step: self.operations("stack") if self.heads(3) else [] for step in OWN_STEPS}

    def late_handler(self):
        """Late operations. Half of the time they include a branch on a time or an assigned fact, which sends its own step."""
        operations = [self.late_operation() for _ in range(self.chance.randrange(1, 4))]
        if self.heads():
            return operations
        when, step = self.chance.choice([
            (self.passed(), "wasPassed"), (self.between(), "wasBetween"), ({"fact": "variant", "is": "long"}, "wasAssigned")])
        return [{"when": when, "do": [*operations, {"send": step}]}, {"do": operations}]

    def timer(self):
        """A timer whose time is known only when the timer starts."""
        chance = self.chance
        return chance.choice([
            {"after": chance.choice(["$id", "$fact.count", "$content.n"]), "unit": chance.choice("sm"), "send": "waited"},
            {"at": chance.choice(["$fact.until", chance.choice(MOMENTS[:3])]), "send": "departed"} | ({"before": "2s"} if self.heads(3) else {}),
            {"daily": chance.choice(TIMES), "zone": chance.choice(["$fact.zone", ZONES[0]]), "send": "rang"},
        ])

    def message(self):
        chance = self.chance
        return {"submit": {
            "post": "https://bank.example/payments", "key": chance.choice(["first", "order {fact.count}", "$id"]),
            "body": {"n": chance.choice([1, 1, "$fact.count"])},
            "then": {"step": "paid", "with": {"id": chance.choice([1, "$result.n"])}}, "else": "payFailed"} | chance.choice(
                [{}, {"retry": 2}, {"timeout": "3s"}, {"bearer": "accessToken"}])}

    def sum(self):
        """A calculation."""
        return self.chance.choice(["$id + 1", "$(3 - $id)", "$fact.count - $id + 1", "$content.n + 1", "$count(content.rows) + 1"])

    def condition(self):
        return self.chance.choice([
            self.fact(), {"visible": self.chance.choice(SCREENS)}, {"visible": "detail", "with": {"id": "$id"}},
            {"flow": self.chance.choice(FLOWS[1:])}, {"param": "id", "is": "present"}, {"content": "n", "is": 1},
            {"screen": self.chance.choice(SCREENS)}, {"screen": "detail", "with": {"id": "$id"}}, {"param": "id", "over": 1},
            {"fact": "appState", "in": ["foreground", "inactive"]}, {"fact": "wide"}, {"content": "n", "of": "inner", "under": 2},
            {"param": "id", "over": "$fact.count - 1"}, {"param": "tags", "is": expected.ListType(self.tags).fitting(self.chance)},
            {"fact": "count", "under": "$count(tags) + 1"}, {"fact": "tags", "is": self.fact_list()},
            {"fact": "count", "under": self.sum()}, {"content": "sum", "over": "$count(content.rows)"},
            {"not": self.fact()}, {"any": [self.fact(), {"visible": SCREENS}]},
        ])

    def step(self):
        """An operation that sends a step to any receiver."""
        step = self.chance.choice(STEPS)
        return step if self.heads() else {"step": step, "to": self.chance.choice(["parent", "current", "root", "all"] + FLOWS)}

    def screen(self):
        return self.chance.choice(SCREENS)

    def node(self, born=False):
        """The arguments of a new node. With `born`, the node is created outside of a handler, where no params exist."""
        if self.heads(4):
            node = {"flow": self.chance.choice(["leaf", "inner"] if born else FLOWS[1:])}
            if node["flow"] == "inner" and self.heads():
                node |= {"then": self.step(), "else": self.step()}
            if self.heads(3):
                node["content"] = {"n": self.chance.randrange(3)}
            return node | self.guard()
        node = {"screen": self.screen()}
        if self.heads(3):
            node["with"] = {"id": 7 if born else self.chance.choice([1, "$id", self.sum()])}
        if self.heads(4) and not born:
            node["with"] = node.get("with", {}) | self.tagged()["with"]
        if self.heads(2):
            node["content"] = {"n": self.chance.randrange(3), "rows": {}, "tally": {}} | ({REMOVED: 0} if self.heads() else {})
        elif self.heads(4):
            node["load"] = {"value": {"n": 1}, "delay": "1s"} | self.sent("then", 2) | self.sent("else", 4)
        if self.heads(5):
            timer = {self.chance.choice(["after", "every"]): f"{self.chance.randrange(1, 5)}s", "send": self.chance.choice(STEPS)}
            node["timer"] = (timer if born or self.heads() else self.timer()) | self.chance.choice(
                [{}, {"covered": "drop"}, {"covered": "fire"}, {"start": "seen"}])
        if self.heads(5):
            node["removed"] = self.chance.choice(STEPS)
        if self.heads(6):
            node["listen"] = {self.chance.choice(["hidden", "dismissed"]): True}
        return node | self.guard() | self.sent("seen", 8) | self.sent("unseen", 10)

    def guard(self):
        asking = {"ask": self.step(), "tabs": self.heads()} | ({"when": self.fact()} if self.heads() else {})
        return {"guard": self.chance.choice([True, self.step(), asking])} if self.heads(4) else {}

    def gate(self):
        return {"requires": self.fact(), "else": self.step()} if self.heads(3) else {}

    def overlay(self):
        ways = [{}, {"queue": True}, {"replace": True}]
        return {"overlay": {"screen": self.screen()}, "slot": self.chance.choice(["top", "bottom"])} | self.chance.choice(ways) | (
            {"for": f"{self.chance.randrange(1, 5)}s"} if self.heads() else {})

    def sent(self, member, one_in):
        return {member: self.step()} if self.heads(one_in) else {}

    def handlers(self, container):
        return {step: self.handler(container) for step in self.chance.sample(STEPS, self.chance.randrange(2, len(STEPS)))}

    def handler(self, container):
        if self.heads(3):
            return [
                {"when": self.condition(), "do": self.operations(container)}, {"when": {"not": self.condition()}, "do": self.operations(container)},
                {"do": self.operations(container)},
            ]
        return self.operations(container)

    def operations(self, container):
        found = [self.operation(container) for _ in range(self.chance.choice([1, 1, 1, 2, 3]))]
        return found[0] if len(found) == 1 else [operation for operation in found if operation != []]

    def late_operation(self):
        """An operation with a message, a time, a calculation or a bound."""
        chance = self.chance
        return chance.choice([
            self.message, self.message, self.message,
            lambda: {"timer": self.timer() | chance.choice([{}, {"name": "nap", "restart": True}])} | ({"of": "flow"} if self.heads() else {}),
            lambda: {"timer": self.timer() | {"name": "nap"}, "of": "flow"}, lambda: {"timer": self.timer(), "of": "flow"},
            lambda: {"write": {"count": self.sum(), "until": chance.choice(MOMENTS), "zone": chance.choice(ZONES)}},
            lambda: {"write": {"until": chance.choice([None, *MOMENTS])}}, lambda: {"write": {"count": "$fact.count + 1"}},
            lambda: {"content": {"sum": self.sum()}}, lambda: {"content": {"size": "$count(content.rows) - 1"}},
            lambda: {"content": {"tally.$id": {"add": 1}}}, lambda: {"content": {"tally.$screen.id": {"add": 1}}},
            lambda: {"write": {"tags": chance.choice(["$tags", "$screen.tags"])}}, lambda: {"content": {"tags": ["a", "$tags"]}},
            lambda: {"send": chance.choice(STEPS)} | self.tagged(),
            lambda: {"content": {REMOVED: 1}}, lambda: {"content": {REMOVED: {"remove": True}}}, lambda: {"content": {"rows.$id": {"remove": True}}},
            lambda: {"send": chance.choice(STEPS), "with": {"id": self.sum()}},
        ])()

    def operation(self, container):
        chance = self.chance
        if self.heads(4):
            return self.late_operation()
        common = [
            lambda: {"push": self.node()}, lambda: {"push": self.node()}, lambda: "pop", lambda: {"pop": chance.randrange(1, 3)},
            lambda: {"popTo": self.screen()}, lambda: "popToRoot", lambda: {"replace": self.node()},
            lambda: {"remove": self.screen()}, lambda: {"remove": self.screen(), "all": True},
            lambda: {"reveal": self.screen()}, lambda: {"bring": self.screen()},
            lambda: "proceed", self.overlay,
            lambda: {"present": self.node(), "style": chance.choice(["sheet", "fullScreen", "alert"]),
                     "of": chance.choice(["flow", "screen"]), "replace": self.heads()},
            lambda: {"present": self.node(), "level": chance.randrange(1, 4), "queue": True},
            lambda: {"present": self.node(), "level": chance.randrange(1, 4), "replace": self.heads()},
            lambda: {"dismiss": chance.choice(SCREENS + FLOWS[1:])}, lambda: {"reveal": {"flow": chance.choice(FLOWS)}},
            lambda: "logout", lambda: {"cancel": "links"}, lambda: {"send": [self.step()]},
            lambda: {"content": {"n": chance.choice([1, "$screen.id"])}, "of": "inner"},
            lambda: {"load": {"value": {"n": 3}, "delay": "1s"}, "of": chance.choice(["inner", "home"])},
            lambda: "dismiss", lambda: {"select": chance.randrange(3)}, lambda: {"select": "$id"},
            lambda: {"send": chance.choice(STEPS), "to": "parent"}, lambda: {"send": chance.choice(STEPS)},
            lambda: [], lambda: {"write": {"count": chance.choice([1, 2, "$id"]), "on": self.heads()}}, lambda: {"write": {"count": None, "name": None}},
            lambda: {"write": {"name": chance.choice(["Ada", "é", "e\u0301"])}},
            lambda: {"content": {"n": {"add": 1}}}, lambda: {"content": {"rows.$id": chance.choice([1, "$id"]), "rows": {"x": 2}}},
            lambda: {"content": {"last": "$content.n"}, "of": self.screen()},
            lambda: {"load": {"value": {"n": 2}, "delay": "2s", "restart": self.heads()} | self.sent("then", 2)},
            lambda: {"timer": {chance.choice(["after", "every"]): f"{chance.randrange(1, 9)}s", "send": chance.choice(STEPS), "name": "nap"}},
            lambda: {"cancel": chance.choice(["nap", "all"])}, lambda: {"end": self.step()},
        ]
        own = {
            "tabs": [lambda: {"set": [self.node() for _ in range(chance.randrange(1, 4))]}, lambda: {"select": {"flow": "inner"}}],
            "giving": [lambda: {"finish": {"id": chance.choice([1, "$id"])}}],
            "switch": [lambda: {"set": chance.choice(["inner", "leaf", "bar"])},
                       lambda: {"show": {"flow": "inner", "screen": self.screen()}}],
            "split": [lambda: {"detail": self.node()}, lambda: {"set": {"master": [self.node()], "detail": self.node()}}],
        }.get(container, [])
        if container in ("stack", "screen", "giving"):
            common += [lambda: {"set": [self.node() for _ in range(chance.randrange(1, 4))]},
                       lambda: {"set": [self.node() for _ in range(chance.randrange(1, 4))], "keep": True}]
        return chance.choice(common + own * 6)()
