"""Definitions as JSON: correct constructs that are added, and operators that break them."""

import copy


def dicts(value):
    """All maps in a value, outermost first."""
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from dicts(member)


def texts(value):
    """All texts in a value, without the names of members."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] if isinstance(value, str) else [text for member in members for text in texts(member)]


def name(node, kinds=("step", "screen", "flow")):
    """The name in a step or node, which may be a map."""
    return next((node[kind] for kind in kinds if kind in node), None) if isinstance(node, dict) else node


def created(operation, *words):
    """The name of the node that an operation creates."""
    return next((name(operation[word]) for word in words if word in operation), None) if isinstance(operation, dict) else None


def merge(value, more):
    """Adds members to a map and to its inner maps, and elements to its lists."""
    for key, member in more.items():
        old = value.get(key)
        value[key] = merge(old or {}, member) if isinstance(member, dict) and isinstance(old, (dict, type(None))) else (
            old + member if isinstance(old, list) and isinstance(member, list) else member)
    return value


def normal(app):
    """A definition in which each handler is a list of branches, each with a list of operations, and each screen is a map."""
    def listed(value):
        return value if isinstance(value, list) else [value]
    for flow in app["flows"].values():
        for step, handler in (flow.get("handle") or {}).items():
            branches = [part for part in listed(handler) if isinstance(part, dict) and "do" in part] or [{"do": handler}]
            flow["handle"][step] = [branch | {"do": listed(branch["do"])} for branch in branches]
    app["screens"] = {screen: value or {} for screen, value in app["screens"].items()}
    return app


def bodies(app, *steps):
    """Each list of operations of all handlers, or of the handlers of some steps, with its flow."""
    return [(flow, branch["do"]) for flow, value in app["flows"].items() for step, branches in (value.get("handle") or {}).items()
            if not steps or step in steps for branch in branches]


def operations(app, *words):
    """The operations that create a screen with one of these words, each with its flow and the screen."""
    return [(flow, one, created(one, *words)) for flow, body in bodies(app) for one in body if created(one, *words) in app["screens"]]


def following(app, *names):
    """The steps that may follow from steps and screens: the steps that a handler names, and those that a screen shown by it emits."""
    found, waiting = set(), list(names)
    while waiting:
        step = waiting.pop()
        if step not in found:
            found.add(step)
            waiting += list(app["screens"].get(step, {}).get("emits") or []) + texts([body for _, body in bodies(app, step)])
    return found


def strip(app, fits, *steps):
    for _, body in bodies(app, *steps):
        body[:] = [one for one in body if not fits(one)]


def insert(app, step, operation):
    for _, body in bodies(app, step):
        body.insert(0, copy.deepcopy(operation))


def unhandle(app, step, *branches):
    """Replaces the handlers of a step by `branches`, or removes them if there are no branches. The step stays declared."""
    app["steps"] = {step: None} | (app.get("steps") or {})
    for flow in app["flows"].values():
        if step in (flow.get("handle") or {}):
            flow["handle"][step] = list(branches)
            flow["handle"] = {at: branches for at, branches in flow["handle"].items() if branches}


# Functions that add a correct construct at a random place. `CONSTRUCTS` has each function under a member that only a definition with the construct has.

def add_guard(app, chance):
    flow, one, _ = chance.choice([place for place in operations(app, "push", "present") if not {"level", "guard"} & place[1].keys()])
    next((one[word] for word in ("push", "present") if isinstance(one.get(word), dict)), one)["guard"] = "plantLeft"
    question = {"present": "plantQuestion", "style": "alert"} | ({"of": "screen"} if "present" in one else {})
    merge(app, {"screens": {"plantQuestion": {"emits": ["plantConfirmed", "plantStayed"]}}, "flows": {flow: {"handle": {
        "plantLeft": [{"do": [question]}], "plantConfirmed": [{"do": ["proceed"]}], "plantStayed": [{"do": []}]}}}})


def add_overlay(app, chance):
    flow, body = chance.choice([(flow, body) for flow, body in bodies(app) if any(created(one, "push", "present") for one in body)])
    body.append({"overlay": "plantBanner", "slot": "plant", "for": "8s", "replace": True})
    merge(app, {"screens": {"plantBanner": {"emits": ["plantHidden"]}}, "flows": {flow: {"handle": {"plantHidden": [{"do": [{"dismiss": "plantBanner"}]}]}}}})


def add_gate(app, chance):
    flow = chance.choice([flow for flow, value in app["flows"].items() if len(value.get("tabs", [])) > 1 and name(value["tabs"][-1]) in app["flows"]])
    tabs, closed = app["flows"][flow]["tabs"], [{"do": [{"dismiss": "plantGate"}]}]
    tabs[-1] = (tabs[-1] if isinstance(tabs[-1], dict) else {"flow": tabs[-1]}) | {"requires": {"fact": "isPlantOpen"}, "else": "plantNeeded"}
    merge(app, {"facts": {"isPlantOpen": {"type": "boolean", "default": False, "by": "client"}}, "screens": {"plantGate": {"emits": ["plantClosed"]}},
                "flows": {flow: {"handle": {
                    "plantNeeded": [{"do": [{"present": "plantGate"}]}], "plantClosed": closed, "plantShut": [{"do": [{"select": 0}]}]}}}})
    merge(app["flows"][name(app["root"])], {"handle": {"plantLocked": [{"when": {"flow": flow}, "do": [{"send": "plantShut", "to": flow}]}, {"do": []}]}})
    app["rules"] = app.get("rules", []) + [{"when": {"fact": "isPlantOpen", "is": False}, "send": "plantLocked"}]


def add_link(app, _):
    flow = name(app["root"])
    while "stack" not in app["flows"][flow]:
        nodes = app["flows"][flow].get("tabs") or app["flows"][flow].get("switch") or []
        flow = [name(node) for node in nodes if name(node) in app["flows"]][0]
    merge(app, {"screens": {"plantPage": {"params": {"id": "integer"}}}, "steps": {"plantLinked": {"id": "integer"}}, "flows": {flow: {"handle": {
        "plantLinked": [{"do": [{"push": "plantPage", "with": {"id": "$id"}}]}]}}}})
    own = {member: "none" for member in ("requires", "else") if member in app.get("linkDefaults", {})}
    app["links"] = [{"scheme": "plant", "path": "/plants/{id}", "send": "plantLinked", "to": flow} | own, *app.get("links", [])]


def add_seen(app, chance):
    flow, one, _ = chance.choice(operations(app, "push"))
    (one["push"] if isinstance(one["push"], dict) else one)["seen"] = "plantSeen"
    merge(app, {"facts": {"isPlantSeen": {"type": "boolean", "default": False}},
                "flows": {flow: {"handle": {"plantSeen": [{"do": [{"write": {"isPlantSeen": True}}]}]}}}})


CONSTRUCTS = {"guard": add_guard, "overlay": add_overlay, "requires": add_gate, "links": add_link, "seen": add_seen}


# Places of a construct in a definition, by name, and the changes that break it.

def guards(app):
    """The step that each guard sends, with the texts around the guard: the guarded node and, for a flow, its handlers."""
    asking = [(one["guard"].get("ask", one["guard"]) if isinstance(one["guard"], dict) else one["guard"], one) for one in dicts(app["flows"]) if "guard" in one]
    return {name(step): texts(one) for step, one in asking if isinstance(name(step), str)}


def gates(app):
    """The step in `else` of each gated tab, with the tab."""
    return {name(one["else"]): one for one in dicts(app["flows"]) if "requires" in one and "else" in one}


def tested(gate):
    return sorted({one["fact"] for one in dicts(gate["requires"]) if "fact" in one})


def shuttable(app):
    """The gates that test only facts of the app. Such a gate stays closed if no operation writes its facts."""
    return {step: gate for step, gate in gates(app).items() if set(tested(gate)) <= app.get("facts", {}).keys()}


def ruled(app):
    return [step for step, gate in gates(app).items() if any(set(tested(gate)) & set(texts(rule["when"])) for rule in app.get("rules", []))]


def entries(app):
    """The first steps of links and of notifications, if a handler shows a page."""
    sends = [one["send"] for one in app.get("links", []) + (app.get("notifications") or {}).get("take", []) if "send" in one]
    steps = {name(send[0] if isinstance(send, list) else send) for send in sends}
    pages = {"push", "replace", "set", "detail", "reveal", "select", "popTo"}
    return {step for step in steps for _, body in bodies(app, step) for one in body
            if isinstance(one, dict) and pages & one.keys() and "present" not in one}


def seers(app):
    """The step of each `seen`, with the page's screen."""
    found = {name(value["seen"]): screen for screen, value in app["screens"].items() if "seen" in value}
    found |= {name(one["seen"]): created(one, "push", "present") or name(one) for one in dicts(app["flows"]) if "seen" in one}
    return {step: screen for step, screen in found.items() if screen in app["screens"]}


def keep(app, screen):
    """Removes everything that closes an overlay: operations, its time, and overlays that replace it."""
    strip(app, lambda one: isinstance(one, dict) and screen in (name(one.get("dismiss")), name(one.get("remove"))))
    for step in app["screens"][screen].get("emits") or []:
        strip(app, lambda one: one in ("dismiss", "finish"), step)
    slots = {one["slot"] for _, one, shown in operations(app, "overlay") if shown == screen}
    for _, one, shown in operations(app, "overlay"):
        if one["slot"] in slots:
            one.pop("replace", None)
        if shown == screen:
            one.pop("for", None)


def shut(app, step):
    """Removes everything that writes the facts of a gate."""
    for fact in tested(gates(app)[step]):
        for one in dicts(app["flows"]):
            if isinstance(one.get("write"), dict):
                one["write"].pop(fact, None)
        if isinstance(app["facts"][fact], dict):
            app["facts"][fact].pop("by", None)
    strip(app, lambda one: one == {"write": {}})


def unrule(app, step):
    """Removes the rules that test a fact of a gate."""
    facts = set(tested(gates(app)[step]))
    app["rules"] = [rule for rule in app["rules"] if not facts & set(texts(rule["when"]))]


def cover(app, step, **terms):
    """Lets a link's handler present a screen before it opens the link's page."""
    app["screens"]["plantCover"] = {"emits": ["plantBared"]}
    for flow, body in bodies(app, step):
        if body:
            body.insert(0, {"present": "plantCover", "replace": True, **terms})
            app["flows"][flow]["handle"] = app["flows"][flow]["handle"] | {"plantBared": [{"do": [{"dismiss": "plantCover"}]}]}


def create_again(app, step):
    screen = seers(app)[step]
    params = {param: f"$screen.{param}" for param in app["screens"][screen].get("params") or {}}
    own = [one["seen"] for one in dicts(app["flows"]) if "seen" in one and name(one["seen"]) == step]
    for flow, body in bodies(app, step):
        again = {"push": screen} if "stack" in app["flows"][flow] else {"present": screen, "replace": True}
        body.insert(0, again | ({"with": params} if params else {}) | ({"seen": own[0]} if own else {}))


def open_another(app, step):
    app["screens"]["plantPage"] = {"emits": []}
    insert(app, step, {"present": "plantPage"})


def select_itself(app, step):
    insert(app, step, {"select": {kind: value for kind, value in gates(app)[step].items() if kind in ("flow", "screen")}})


def open_itself(app, step):
    insert(app, step, {"write": dict.fromkeys(tested(gates(app)[step]), True)})


# Each operator: its construct, the function that returns its places in a definition, and the one that breaks the definition at a place.
OPERATORS = {
    "guard never proceeds": ("guard", guards, lambda app, step: strip(app, lambda one: one == "proceed", *following(app, step, *guards(app)[step]))),
    "guard's step unhandled": ("guard", guards, unhandle),
    "guard asks nothing": ("guard", guards, lambda app, step: unhandle(app, step, {"do": []})),
    "overlay stays": ("overlay", lambda app: {screen for _, _, screen in operations(app, "overlay")}, keep),
    "gate stays shut": ("requires", shuttable, shut),
    "gate without rule": ("requires", ruled, unrule),
    "gate without else": ("requires", gates, lambda app, step: gates(app)[step].pop("else")),
    "else unhandled": ("requires", gates, unhandle),
    "else shows nothing": ("requires", gates, lambda app, step: unhandle(app, step, {"do": []})),
    "else opens its gate": ("requires", shuttable, open_itself),
    "else selects its tab": ("requires", gates, select_itself),
    "link opens a level": ("links", entries, lambda app, step: cover(app, step, level=9)),
    "link opens a guarded sheet": ("links", entries, lambda app, step: cover(app, step, guard=True)),
    "seen creates its page": ("seen", seers, create_again),
    "seen sends itself": ("seen", seers, lambda app, step: insert(app, step, {"send": step})),
    "seen opens another": ("seen", seers, open_another),
}
