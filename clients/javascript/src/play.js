import { number } from "./routes.js";
import { share } from "./share.js";

/** Returns the tree after the changes (docs/changes.md). Nodes that the changes do not concern stay the same objects; the given tree is not changed. */
export function play(tree, changes) {
  return changes.reduce((played, change) => {
    const rule = Object.hasOwn(rules, change.op) ? rules[change.op] : undefined;
    if (!rule) throw new Error(`no rule for ${change.op}: this client is older than the service`);
    return rule(played, change);
  }, tree);
}

const rules = {
  push: (tree, change) => edit(tree, change.in, (node) => ({ ...node, children: [...(node.children ?? []), change.node] })),
  pop: (tree, change) => edit(tree, change.in, (node) => ({ ...node, children: upTo(node.children, change.to) })),
  remove: (tree, change) => edit(tree, change.node, among("children", () => undefined)),
  replace: (tree, change) => (tree.id === change.at ? change.node : edit(tree, change.at, among("children", () => change.node))),
  set: (tree, change) => edit(tree, change.in, (node) => filled(node, change, tree)),
  select: (tree, change) => edit(tree, change.in, (node) => ({ ...node, selected: change.index })),
  present: (tree, change) => edit(tree, change.on, (node) => (change.level === undefined ? covered(node, change) : raised(node, change, tree))),
  overlay: (tree, change) => laid(tree, change),
  dismiss: (tree, change) => edit(tree, change.node, among("modals", () => undefined)),
  update: (tree, change) => edit(tree, change.node, (node) => updated(node, change)),
};

/** Returns the tree with the node of an id replaced by the result of `make`; undefined removes the node. Throws if the tree has no such node. */
function edit(tree, id, make) {
  const edited = editBelow(tree, id, make, "root");
  if (edited === tree) throw new Error(`the tree has no node ${id}`);
  return edited;
}

function editBelow(node, id, make, place) {
  if (node.id === id) return make(node, place);
  for (const [name, below] of [["children", "children"], ["levels", "modals"], ["overlays", "modals"]]) {
    for (const child of node[name] ?? []) {
      const edited = editBelow(child, id, make, below);
      if (edited === child) continue;
      const list = edited === undefined ? node[name].filter((one) => one !== child) : node[name].map((one) => (one === child ? edited : one));
      return name !== "children" && list.length === 0 ? without(node, name) : { ...node, [name]: list };
    }
  }
  if (!node.presented) return node;
  const edited = editBelow(node.presented, id, make, "modals");
  if (edited === node.presented) return node;
  return edited === undefined ? without(node, "presented") : { ...node, presented: edited };
}

/** Returns `make` with a check of the node's place, because a child cannot be dismissed and a modal cannot be removed. Throws if the place is wrong. */
function among(right, make) {
  return (node, place) => {
    if (place !== right) throw new Error(`${node.id} is not among the ${right}`);
    return make(node);
  };
}

function upTo(children, id) {
  const index = (children ?? []).findIndex((child) => child.id === id);
  if (index < 0) throw new Error(`the node has no child ${id}`);
  return children.slice(0, index + 1);
}

function filled(node, change, tree) {
  const kind = change.kind ?? node.kind;
  const base = without(change.kind === undefined ? node : without(node, "collapsed"), "selected");
  const known = new Map(nodesBelow(tree));
  const children = change.children.map((child) => share(known.get(child.id), child));
  const isSelecting = kind === "tabs" && children.length > 0;
  return { ...base, kind, children, ...(change.kind === "stack" ? { collapsed: true } : {}), ...(isSelecting ? { selected: 0 } : {}) };
}

function covered(node, change) {
  if (node.presented) throw new Error(`${node.id} already presents ${node.presented.id}`);
  return { ...node, presented: change.node };
}

function raised(node, change, tree) {
  const levels = node.levels ?? [];
  if (node !== tree) throw new Error(`${node.id} is not the root, so it has no levels`);
  if (levels.some((modal) => modal.level === change.level)) throw new Error(`level ${change.level} already has a modal`);
  return { ...node, levels: [...levels, change.node].sort((one, other) => one.level - other.level) };
}

function laid(tree, change) {
  const overlays = tree.overlays ?? [];
  if (overlays.some(({ slot }) => slot === change.slot)) throw new Error(`the slot ${change.slot} already has an overlay`);
  return { ...tree, overlays: [...overlays, change.node].sort((one, other) => number(one) - number(other)) };
}

function updated(node, change) {
  let made = { ...node };
  for (const name of ["params", "facts", "content", "ended"]) if (change[name] !== undefined) made[name] = change[name];
  for (const name of ["params", "facts"]) if (change[name] && Object.keys(change[name]).length === 0) made = without(made, name);
  return change.ended === false ? without(made, "ended") : made;
}

function without(object, name) {
  const { [name]: _, ...rest } = object;
  return rest;
}

/** Yields a node and every node below it, each as `[id, node]`. */
export function* nodesBelow(node) {
  yield [node.id, node];
  for (const child of node.children ?? []) yield* nodesBelow(child);
  if (node.presented) yield* nodesBelow(node.presented);
  for (const over of [...node.levels ?? [], ...node.overlays ?? []]) yield* nodesBelow(over);
}
