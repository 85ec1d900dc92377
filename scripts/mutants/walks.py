"""Random walks through an app over HTTP, recorded as scenarios."""

import collections
import json
import re
import urllib.parse

from mutants.operators import dicts, texts

ACTIONS = 30


class Walker:
    """Random walks through an app. They prefer steps that were rarely taken. Most begin with the path to a screen that was rarely shown."""

    def __init__(self, app, chance, call):
        self.app, self.chance, self.call, self.taken, self.ways = app, chance, call, collections.Counter(), {}
        self.seen = collections.Counter()
        emits = [one["emits"] for one in [*app["screens"].values(), *app["flows"].values()] if isinstance(one.get("emits"), dict)]
        self.types = {step: params or {} for one in emits for step, params in one.items()}
        self.words = ["a", 1, True] + sorted({text for one in dicts(app) for text in texts([one.get("is"), one.get("in")])})
        self.results = sorted(set(re.findall(r"\$result\.(\w+)", json.dumps(app)))) + [one["result"] for one in dicts(app) if "result" in one]

    def value(self, kind):
        """A value of a type, as definitions and `accepts` write it."""
        kind = kind if isinstance(kind, dict) else {"type": kind}
        if "in" in kind:
            return self.chance.choice(self.app["sets"][kind["in"]] if isinstance(kind["in"], str) else kind["in"])
        word = re.sub(r"optional |\?", "", kind["type"])
        return self.chance.choice({"boolean": [True, False], "integer": [0, 1, 2], "number": [0, 1.5]}.get(word, ["a", *map(str, self.words)]))

    def url(self, link):
        scheme, host = ((one[0] if isinstance(one, list) else one) for one in ((self.app.get("linkDefaults", {}) | link).get(at) for at in ("scheme", "host")))
        path = re.sub(r"\{\w+[?.]*\}", lambda _: str(self.chance.randrange(1, 3)), link["path"])
        return f"https://{host}{path}" if host else f"{scheme}:/{path}"

    def message(self, element):
        """A notification that an element of `take` matches, if its values fit."""
        how = element.get("how", "tap")
        how = self.chance.choice(how) if isinstance(how, list) else how
        payload = {"aps": {"content-available": 1} if how == "silent" else {"alert": "x"}}
        payload["aps"] |= {"category": element["category"]} if "category" in element else {}
        for pointer in (self.app["notifications"].get("values") or {}).values():
            place, (*path, last) = payload, (pointer[0] if isinstance(pointer, list) else pointer)[1:].split("/")
            for member in path:
                place = place.setdefault(member, {})
            place[last] = self.chance.choice(["1", "2", *self.words])
        event = {"notification": payload, "tap": how not in ("silent", "foreground"), "state": "foreground" if how == "foreground" else "background"}
        return event | ({"action": how["action"]} if isinstance(how, dict) else {})

    def moves(self, session):
        """Yields the events that are possible now, in the form of scenarios, each with the weight of its choice."""
        accepts, chance = session["accepts"], self.chance
        for one in accepts["steps"]:
            params = {at: self.value(self.types.get(one["step"], {}).get(at, kind)) for at, kind in one["params"].items()}
            yield 8 / (1 + self.taken[one["step"]]), {"step": one["step"], "params": params}
        for overlay in session["tree"].get("overlays", []):
            yield 0.5, {"type": "dismiss", "node": overlay["id"]}
            for step in self.app["screens"][overlay["name"]].get("emits") or []:
                yield 2, {"step": step, "from": overlay["id"]}
        for gesture in ("back", "pop", "popToRoot", "dismiss", "logout", "select"):
            if gesture in accepts["primitives"]:
                yield 5 if gesture in accepts.get("guarded", []) else 1, {"type": gesture} | ({"tab": chance.randrange(4)} if gesture == "select" else {})
        if any(one["kind"] == "timer" for one in session["pending"]):
            yield 1, {"advance": chance.choice(["1s", "10s", "2m", "15m"])}
        if any(one["kind"] == "load" for one in session["pending"]):
            yield 3, {"loaded": {at: chance.choice(self.words) for at in self.results}}
            yield 1, {"failed": "http-status: 500"}
        yield 0.3, {"type": "token", "accessToken": "t"}
        yield 0.3, {"appState": chance.choice(["background", "foreground"])}
        for fact in accepts.get("facts", {}):
            yield 1, {"facts": {fact: self.value(self.app["facts"][fact])}}
        for link in self.app.get("links", []):
            yield 1.5 / len(self.app["links"]), {"open": self.url(link)}
        for element in (self.app.get("notifications") or {}).get("take", []):
            yield 0.5, self.message(element)

    def walk(self, number):
        """One walk, as a scenario of the actions that were accepted; None if the start is refused."""
        given = {"environment": {one["env"]: "https://e.example" for one in dicts(self.app) if "env" in one}, "facts": {
            fact: self.value(kind) for fact, kind in self.app.get("facts", {}).items() if "env" not in texts([kind]) and self.chance.randrange(2)}}
        given |= {"accessToken": "t"} if self.chance.randrange(2) else {}
        way = []
        if self.ways and self.chance.randrange(4):
            seen = sorted(self.ways)
            given, way = self.ways[self.chance.choices(seen, [1 / self.seen[at] for at in seen])[0]]
        status, session = self.call("POST", "", {"app": self.app["app"], "clock": "manual", "requests": "manual", **given})
        if status != 201:
            return None
        path, events = f"/{session['id']}", []
        for turn in range(len(way) + ACTIONS):
            session = self.call("GET", path)[1]
            at = f"{session.get('visible', {}).get('screen')} {session['accepts'].get('guarded')}"
            self.seen[at] += 1
            self.ways.setdefault(at, (given, list(events)))
            weights, moves = zip(*self.moves(session))
            event = way[turn] if turn < len(way) else self.chance.choices(moves, weights)[0]
            if self.call("POST", *request(path, event))[0] in (200, 202):
                self.taken[event.get("step")] += 1
                events.append(event)
        return {"name": f"walk {number}", "given": given, "when": events or [{"type": "back"}], "then": {"refused": "nothing"}}


def request(path, event):
    """An event of a scenario as a request over HTTP."""
    if "open" in event:
        return path + "/open", {"url": event["open"]}
    if "notification" in event:
        query = {at: str(value).lower() if at == "tap" else value for at, value in event.items() if at != "notification"}
        return f"{path}/notifications?{urllib.parse.urlencode(query)}", event["notification"]
    kind, value = next(iter(event.items()))
    types = {"advance": ("advance", "by"), "loaded": ("answer", "loaded"), "failed": ("answer", "failed"), "facts": ("facts", "set"),
             "appState": ("appState", "state")}
    return path + "/actions", {"type": types[kind][0], types[kind][1]: value} if kind in types else event
