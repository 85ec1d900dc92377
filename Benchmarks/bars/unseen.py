"""Users who act without a network while others act on the same session.

Each case has two sessions of one app. The user does the same in both. Others act only in the first session: operators, notifications, a timer, another client,
a migration and undos. The first session must have the same results as the second one, except for what others have put on top.
"""

import collections
import copy
import secrets

from bars import player

NAME = "unseen"
LOCKED_AFTER = 600_000
# The code of the refusal of a step that the other version of the app does not have.
GONE = "definition-changed"
# The codes and outcomes of actions on a page that others have removed.
PLACES = {"dismissed", "flow-gone", "no-tabs", "no-stack", "screen-not-found", "unchanged", "not-handled"}
CASES = ["covers", "covers", "covers", "covers", "removals", "removals", "sealed", "away"]

# Steps that notifications send, with the flows that handle them. Those of COVERS put something on top or change a content, and those of REMOVALS remove pages.
COVERS = {
    "modalOnRoot": "root", "modalOnFlow": "jobs", "modalOnScreen": "jobs", "level": "root", "queued": "root", "pushed": "jobs", "switched": "main",
    "switchedAndPushed": "main", "changed": "jobs"}
REMOVALS = {"replaced": "jobs", "popped": "jobs", "reset": "jobs", "loggedOut": "root"}
# The screens that only others show.
OTHERS = {"alarm", "urgent", "page", "message", "other", "login", "lock"}

# The user's possible actions on each screen: steps with their params, and gestures.
MOVES = {
    "list": [("jobPicked", {"id": "7"}), {"type": "select", "tab": 1}],
    "job": [
        ("noteAsked", {}), ("jobPicked", {"id": "8"}), ("jobClosed", {}), ("pickAsked", {}), ("noted", {"text": "x"}), ("rated", {"as": "good"}),
        ("rated", {"as": "poor"}), ("shelved", {}), ("formAsked", {}), ("goneHome", {}), ("alarmRaised", {}), ("tabPicked", {"tab": 1}), {"type": "back"},
        {"type": "popToRoot"}, {"type": "select", "tab": 1}],
    "note": [("noteSaved", {}), ("written", {"text": "n"}), {"type": "dismiss"}, {"type": "back"}],
    "pick": [("picked", {"part": "p"}), {"type": "back"}],
    "form": [("formSent", {}), {"type": "back"}],
    "done": [{"type": "back"}, {"type": "popToRoot"}],
    "mine": [("alarmSeen", {}), {"type": "dismiss"}],
    "inbox": [{"type": "select", "tab": 0}],
}


class Fault(Exception):
    """A result that differs from the expected one."""


def definition(is_second=False):
    """The app. The second version has an additional screen and an additional fact. It lacks the step `shelved` and the value `poor`, which becomes `good`."""
    screens = ["list", "job", "form", "note", "pick", "mine", "inbox", "done", *sorted(OTHERS)] + ["survey"] * is_second
    facts = {"rating": {"type": "string", "in": ["good"] if is_second else ["good", "poor"], "default": "good"}, "isShelved": {"type": "boolean", "default": False}} | (
        {"since": {"type": "integer", "default": 2}} if is_second else {})
    return {
        "app": NAME, "language": 1, "compat": {"emits": "any"}, "root": {"flow": "app", "start": "begin"}, "facts": facts,
        "screens": {name: {"params": {"id": "string"}} if name == "job" else {} for name in screens},
        "steps": {
            "jobPicked": {"id": "string"}, "noted": {"text": "string"}, "written": {"text": "string"}, "tabPicked": {"tab": "integer"},
            "picked": {"part": "string"}, "partFound": {"part": "string"}, "rated": {"as": {"type": "string", "in": facts["rating"]["in"]}},
            **{name: {} for name in (
                "begin", "rang", "noteAsked", "noteSaved", "jobClosed", "pickAsked", "formAsked", "formSent", "goneHome", "alarmRaised", "alarmSeen", "locked",
                "lockDue", "messageCame", "loginDone", *["shelved"] * (not is_second), *COVERS, *REMOVALS)}},
        "rules": [{"when": {"fact": "away", "over": LOCKED_AFTER}, "send": "lockDue"}],
        "notifications": {"take": [
            {"category": name, "how": "foreground", "send": name, "to": to} for name, to in {**COVERS, **REMOVALS, "locked": "root"}.items()]},
        "flows": {
            "app": {"switch": ["main", "out"], "handle": {
                "begin": {"timer": {"every": "10s", "send": "rang"}, "of": "flow"},
                "rang": {"present": "alarm"}, "modalOnRoot": {"present": "alarm"}, "alarmSeen": "dismiss", "alarmRaised": {"present": "mine", "level": 5},
                "level": {"present": "urgent", "level": 5}, "queued": {"present": "urgent", "level": 5, "queue": True},
                "locked": {"present": "lock", "level": 9, "sealed": True}, "lockDue": {"present": "lock", "level": 9, "sealed": True},
                "loggedOut": {"set": "out"}, "loginDone": {"set": "main"}}},
            "out": {"stack": "login"},
            "main": {"tabs": ["jobs", "inboxes"], "handle": {
                "switched": {"select": 1}, "switchedAndPushed": [{"send": "messageCame", "to": "inboxes"}, {"select": 1}], "tabPicked": {"select": "$tab"}}},
            "inboxes": {"stack": "inbox", "handle": {"messageCame": {"push": "message"}}},
            "jobs": {"stack": "list", "handle": {
                "jobPicked": {"push": "job", "with": {"id": "$id"}, "content": {"text": ""}}, "jobClosed": "pop",
                "noteAsked": {"present": "note", "of": "screen", "content": {"text": ""}}, "noteSaved": "dismiss",
                "noted": {"content": {"text": "$text"}}, "written": {"content": {"text": "$text"}}, "rated": {"write": {"rating": "$as"}},
                **({} if is_second else {"shelved": {"write": {"isShelved": True}}}),
                "pickAsked": {"push": {"flow": "picker", "then": {"step": "partFound", "with": {"part": "$result.part"}}}},
                "partFound": {"content": {"part": "$part"}}, "formAsked": {"push": "form"}, "formSent": {"push": "done"}, "goneHome": "popToRoot",
                "modalOnFlow": {"present": "alarm"}, "modalOnScreen": {"present": "alarm", "of": "screen"}, "pushed": {"push": "page"},
                "changed": {"content": {"office": 1}, "of": "job"}, "replaced": {"replace": "other"}, "popped": "popToRoot",
                "reset": {"set": ["list", "other"]}}},
            "picker": {"stack": "pick", "gives": {"part": "string"}, "handle": {"picked": {"finish": {"part": "$part"}}}},
        },
    }


def nodes(tree):
    found = [tree]
    for node in found:
        found += node.get("children", []) + ([node["presented"]] if "presented" in node else []) + node.get("levels", [])
    return found


def front(node):
    """The modal that is in front of a node; the node itself if it presents none."""
    return front(node["presented"]) if "presented" in node else node


def sketch(node, without=()):
    """A tree as text: names, params, contents and the order of the nodes, without the given screens and without selections."""
    text = node["name"] + str(node.get("params", ""))
    content = {name: value for name, value in node.get("content", {}).get("value", {}).items() if name != "office"}
    text += str(content or "")
    if "children" in node:
        text += "[" + ", ".join(sketch(child, without) for child in node["children"] if child["name"] not in without) + "]"
    over = node.get("presented")
    while over and over["name"] in without:
        over = over.get("presented")
    return text + (" ^" + sketch(over, without) if over else "") + "".join(
        f" !{sketch(level, without)}" for level in node.get("levels", []) if level["name"] not in without)


class Pair:
    """The two sessions, and the actions that the user has made."""

    def __init__(self, client, chance, hashes, clock):
        self.client, self.chance, self.hashes = client, chance, hashes
        self.busy, self.calm = (Half(client, clock) for _ in range(2))
        for half in (self.busy, self.calm):
            half.post([{"step": "jobPicked", "params": {"id": "1"}}])
        # The revision that the user has seen. The user sees no later change of others.
        self.seen = self.busy.revision
        # The user's posts that have not reached the first session, each as its body and the expected outcome or code.
        self.queue = []
        # The nodes that the user's actions have created in the second session, each by its action and its place.
        self.origins = {}
        # The actions and events in the first session, for the message about a fault.
        self.log = []

    def fail(self, what):
        raise Fault(f"{what}: {self.log}: {sketch(self.busy.tree)}; alone {sketch(self.calm.tree)}")

    def act(self):
        """Performs a random action of the user, which is posted to the second session at once."""
        shown = self.calm.visible
        move = self.chance.choice(MOVES[shown["screen"]])
        body = move if isinstance(move, dict) else {"step": move[0], "params": move[1]}
        place = shown["id"]
        if body.get("type") == "select":
            place = next(node["id"] for node in nodes(self.calm.tree) if node["name"] == "main")
        answer, = self.calm.post([{**body, "from": place, "seen": self.calm.revision}])
        self.queue.append(({**body, "from": self.origins.get(place, place), "seen": self.seen}, word(answer)))
        for index, node in enumerate(answer.get("created", [])):
            self.origins[node] = {"action": self.calm.number, "node": index}

    def deliver(self, is_allowed):
        """Posts some waiting actions to the first session. `is_allowed` returns whether a result may differ from that of the second session."""
        count = self.chance.randrange(1, 4)
        sent, self.queue = self.queue[:count], self.queue[count:]
        before = copy.deepcopy(self.busy.tree)
        answers = self.busy.post([body for body, _ in sent], self.hashes[0] if self.hashes else None)
        for (body, expected), answer in zip(sent, answers):
            found = word(answer)
            self.log.append(f"{body.get('step') or body['type']}={found}")
            # Others may already have selected the tab, or written the fact, as the user wants it.
            is_same = found == "unchanged" and (body.get("type") == "select" or body.get("step") in ("tabPicked", "rated"))
            # The other version of the app has no such step.
            is_gone = body.get("step") == "shelved" and found == GONE and self.busy.definition != self.hashes[0]
            if found != expected and not is_gone and not is_same and not is_allowed(found):
                self.fail(f"an action is answered {found} instead of {expected}")
        if self.busy.has("mine"):
            # The user's modal `mine` is on the level of a modal of others. A level shows one modal at a time, so that of others may wait.
            return
        lost = {node["id"] for node in nodes(before) if node["name"] in OTHERS} - {node["id"] for node in nodes(self.busy.tree)}
        if lost:
            self.fail(f"the user's actions have removed {lost} of others")
        highest = before["levels"][-1] if "levels" in before else {"name": ""}
        if highest["name"] in OTHERS and self.busy.visible["id"] != front(highest)["id"]:
            self.fail(f"{front(highest)['name']} is no longer in front")

    def meanwhile(self, kinds):
        """Lets others act in the first session. Returns the kind of their action."""
        kind = self.chance.choice(kinds)
        revision = self.busy.revision
        if kind in ("tick", "undone", "moved", "another client", "operator"):
            status = getattr(self, kind.replace(" ", "_"))()
        else:
            status = self.busy.call("POST", "/notifications?tap=false&state=foreground", {"category": kind})
        if status not in (200, 409):
            self.fail(f"{kind} is answered {status}")
        self.busy.read()
        self.log.append(kind if self.busy.revision > revision else f"({kind})")
        return kind

    def tick(self):
        return self.busy.call("POST", "/actions", {"type": "advance", "by": "10s"})

    def undone(self):
        """A notification changes the session, and an operator undoes the change."""
        revision = self.busy.revision
        self.busy.call("POST", "/notifications?tap=false&state=foreground", {"category": self.chance.choice(list(COVERS))})
        return self.busy.call("POST", "/undo", {"revision": revision, "reason": "drawn"})

    def moved(self):
        """An operator moves the session to the other version of the app."""
        target = next(one for one in self.hashes if one != self.busy.definition)
        return self.busy.call("POST", "/migrate", {"to": target})

    def another_client(self):
        """Another client posts a numbered step on the page that it sees."""
        self.busy.others += 1
        step = self.chance.choice(["modalOnRoot", "pushed", "level", "modalOnScreen", "switched"])
        body = {"client": self.busy.other, "first": self.busy.others, "actions": [{"step": step, "from": self.busy.visible["id"], "seen": self.busy.revision}]}
        return self.busy.call("POST", "/actions", body, self.busy.secret)

    def operator(self):
        """An operator posts a primitive."""
        return self.busy.call("POST", "/actions", self.chance.choice([
            {"type": "present", "screen": "alarm"}, {"type": "push", "screen": "page"}, {"type": "select", "tab": 1},
            {"type": "facts", "set": {"rating": "good"}}]))


class Half:
    """One of the two sessions."""

    def __init__(self, client, clock):
        self.client = client
        status, body, _ = client.call("POST", "/v1/sessions", {"app": NAME} | ({"clock": clock} if clock else {}))
        if status != 201:
            raise Fault(f"{NAME} starts with {status}: {body}")
        self.id, self.secret, self.number, self.others = body["id"], body["secret"], 0, 0
        self.name, self.other = secrets.token_hex(16), secrets.token_hex(16)
        self.take(body)

    def take(self, body):
        self.tree, self.revision, self.visible = body["tree"], body["revision"], body.get("visible")
        self.definition = body.get("definition", getattr(self, "definition", None))

    def has(self, name):
        return any(node["name"] == name for node in nodes(self.tree))

    def call(self, method, rest, body, *secret):
        return self.client.call(method, f"/v1/sessions/{self.id}{rest}", body, *secret)[0]

    def read(self):
        self.take(self.client.call("GET", f"/v1/sessions/{self.id}")[1])

    def post(self, actions, definition_hash=None, **more):
        """Posts numbered actions. The changes of the answers must lead to the tree of the response."""
        body = {"client": self.name, "first": self.number + 1, "actions": actions, **more} | ({"definition": definition_hash} if definition_hash else {})
        status, answer, _ = self.client.call("POST", f"/v1/sessions/{self.id}/actions", body, self.secret)
        if status != 200:
            raise Fault(f"{body} is answered {status}: {answer}")
        self.number += len(actions)
        before = copy.deepcopy(self.tree)
        for one in answer["answers"]:
            self.tree = player.play(self.tree, copy.deepcopy(one.get("changes", [])))
        if self.tree != answer["tree"]:
            raise Fault(f"the changes of {answer['answers']} on {before} give {self.tree}, not {answer['tree']}")
        self.take(answer)
        return answer["answers"]


def word(answer):
    """The outcome of an action, or the code of its refusal."""
    return answer["error"]["code"] if "error" in answer else answer["outcome"]


class Unseen:
    """The cases of a drive. `counts` has the number of times that each kind of event occurred."""

    def __init__(self, counts):
        self.counts, self.hashes = counts, []
        # The first sessions of the cases so far, as they were at the end.
        self.finished = []

    def publish(self, client):
        """Puts the second version and the migrations in both directions, unless the service has them."""
        if self.hashes:
            return
        first = client.call("GET", f"/v1/apps/{NAME}")[1]["definition"]
        second = client.call("PUT", f"/v1/apps/{NAME}?serve=false", definition(is_second=True))[1]["definition"]
        forward = {"steps": {"rated": {"params": {"as": "good"}}, "shelved": "remove"}, "values": {"rating": "good"}}
        backward = {"screens": {"survey": "remove"}, "facts": {"since": "remove"}}
        for old, new, document in ((first, second, forward), (second, first, backward)):
            status, body, _ = client.call("PUT", f"/v1/apps/{NAME}/migrations/{old}/{new}", document)
            if status != 200:
                raise Fault(f"the migration of {NAME} is answered {status}: {body}")
        self.hashes = [first, second]

    def check(self, client):
        """Checks after a restart that each finished session has the same tree and revision as before it. Raises Fault if not."""
        for half in self.finished:
            tree, revision = half.tree, half.revision
            half.client = client
            half.read()
            if (half.tree, half.revision) != (tree, revision):
                raise Fault(f"after a restart the session {half.id} has {half.tree} at {half.revision}, not {tree} at {revision}")

    def case(self, chance, client):
        """Runs one case."""
        kind = chance.choice(CASES)
        if kind == "away":
            return self.away(chance, client)
        pair = Pair(client, chance, self.hashes, "manual")
        for _ in range(chance.randrange(2, 9)):
            pair.act()
        kinds = [*COVERS, "tick", "undone", "moved", "another client", "operator"]
        refused = collections.Counter()

        def is_allowed(code):
            """Allows the results of an action on a removed page. `hidden` is allowed only after another such result, whose page would have been in front."""
            refused[code] += 1
            return kind == "removals" and (code in PLACES or code == "hidden" and refused.total() > 1)

        while pair.queue:
            for _ in range(chance.choice([0, 1, 1, 2])):
                done = pair.meanwhile(kinds + [*REMOVALS] * (kind == "removals"))
                self.counts[f"others: {done}"] += 1
            if kind == "sealed" and chance.randrange(3) == 0:
                return self.sealed(pair)
            pair.deliver(is_allowed)
        if kind != "removals" and sketch(pair.busy.tree, OTHERS) != sketch(pair.calm.tree):
            pair.fail("the tree without the pages of others differs")
        self.end(pair, kind)

    def sealed(self, pair):
        """Others present a sealed modal: no action of the user runs under it."""
        pair.meanwhile(["locked"])
        before = sketch(pair.busy.tree)
        while pair.queue:
            pair.deliver(lambda code: code in ("hidden", "dismissed", "invalid"))
        if pair.log[-1].endswith("=performed") or sketch(pair.busy.tree) != before:
            pair.fail("an action ran under a sealed modal")
        self.end(pair, "sealed")

    def away(self, chance, client):
        """The app was away for some time on the client's clock. The service must not count less time than the client has predicted, whatever others did."""
        pair = Pair(client, chance, self.hashes, None)
        gone = chance.choice([1_000, LOCKED_AFTER - 1_000, LOCKED_AFTER + 1_000, 86_400_000])
        now = 1_700_000_000_000 + chance.randrange(10**9)
        actions = [{"type": "appState", "state": state, "seen": pair.seen, "at": at} for state, at in (
            ("background", now - gone - 5_000), ("foreground", now - 5_000))]
        parts = [actions] if chance.randrange(2) else [[action] for action in actions]
        for part in parts:
            for _ in range(chance.randrange(3)):
                pair.meanwhile([*COVERS, "another client", "operator"])
            pair.busy.post(part, now=now)
        if pair.busy.has("lock") != (gone > LOCKED_AFTER):
            pair.fail(f"after {gone} ms the app is{'' if pair.busy.has('lock') else ' not'} locked")
        # These sessions do not have a manual clock, so their timers would continue.
        for half in (pair.busy, pair.calm):
            half.call("DELETE", "", None)
        self.counts["unseen: away"] += 1

    def end(self, pair, kind):
        self.counts[f"unseen: {kind}"] += 1
        self.finished.append(pair.busy)
