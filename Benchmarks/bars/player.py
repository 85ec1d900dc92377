"""A client's tree, updated only with the changes in responses. Written only from the documentation, independently of the engine."""


def find(tree, target):
    """The node with this id, the node that contains it, and its position there: an index in `children`, or the word presented, levels or overlays."""
    open_nodes = [(tree, None, None)]
    while open_nodes:
        node, holder, place = open_nodes.pop()
        if node["id"] == target:
            return node, holder, place
        open_nodes += [(child, node, index) for index, child in enumerate(node.get("children", []))]
        if "presented" in node:
            open_nodes.append((node["presented"], node, "presented"))
        open_nodes += [(over, node, place) for place in ("levels", "overlays") for over in node.get(place, [])]
    raise KeyError(f"no node {target}")


def play(tree, changes):
    """Returns the tree after the changes. Modifies the given tree."""
    for change in changes:
        tree = PLAYS[change["op"]](tree, change)
    return tree


def _push(tree, change):
    find(tree, change["in"])[0].setdefault("children", []).append(change["node"])
    return tree


def _pop(tree, change):
    children = find(tree, change["in"])[0]["children"]
    del children[[child["id"] for child in children].index(change["to"]) + 1:]
    return tree


def _set(tree, change):
    node = find(tree, change["in"])[0]
    node["children"] = change["children"]
    if "kind" in change:
        node["kind"] = change["kind"]
        node.pop("collapsed", None)
        if change["kind"] == "stack":
            node["collapsed"] = True
    if node["kind"] == "tabs":
        node["selected"] = 0
    return tree


def _replace(tree, change):
    _, holder, place = find(tree, change["at"])
    if holder is None:
        return change["node"]
    if place in ("presented", "levels", "overlays"):
        raise KeyError("replace names what is presented")
    holder["children"][place] = change["node"]
    return tree


def _remove(tree, change):
    _, holder, place = find(tree, change["node"])
    del holder["children"][place]
    return tree


def _present(tree, change):
    node = find(tree, change["on"])[0]
    if "level" in change:
        levels = node.setdefault("levels", [])
        if node is not tree or change["level"] in [modal["level"] for modal in levels]:
            raise KeyError("a level has one place, on the root")
        levels.append(change["node"])
        levels.sort(key=lambda modal: modal["level"])
        return tree
    if "presented" in node:
        raise KeyError("something is presented there")
    node["presented"] = change["node"]
    return tree


def _overlay(tree, change):
    overlays = tree.setdefault("overlays", [])
    if change["slot"] in [overlay["slot"] for overlay in overlays]:
        raise KeyError("a slot has one overlay")
    overlays.append(change["node"])
    overlays.sort(key=lambda overlay: int(overlay["id"][1:]))
    return tree


def _dismiss(tree, change):
    node, holder, place = find(tree, change["node"])
    if place in ("levels", "overlays"):
        holder[place].remove(node)
        if not holder[place]:
            del holder[place]
        return tree
    if place != "presented":
        raise KeyError("dismiss names neither a modal nor an overlay")
    del holder["presented"]
    return tree


def _select(tree, change):
    find(tree, change["in"])[0]["selected"] = change["index"]
    return tree


def _update(tree, change):
    node = find(tree, change["node"])[0]
    if "params" in change:
        node["params"] = change["params"]
        if not node["params"]:
            del node["params"]
    if "content" in change:
        node["content"] = change["content"]
    if "ended" in change:
        node["ended"] = change["ended"]
        if not node["ended"]:
            del node["ended"]
    return tree


PLAYS = {
    "push": _push, "pop": _pop, "set": _set, "replace": _replace, "remove": _remove, "present": _present, "overlay": _overlay,
    "dismiss": _dismiss, "select": _select, "update": _update,
}
