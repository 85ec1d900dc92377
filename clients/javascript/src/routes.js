/** The visible routes of a tree from the root to the leaf, modals included: the service's `stack`, without each entry's flow. */
export function routesOf(tree) {
  return layersOf(tree).flatMap((layer, index) => leavesOf(layer).map((leaf, place) => routeOf(leaf, index > 0 && place === 0)));
}

/** The layers in front of each other: the root, the modals over it, then what stands on levels and over that. */
export function layersOf(tree) {
  return [tree, ...(tree.levels ?? [])].flatMap(layersOver);
}

/** The screens of one layer that are on the route, its modals left out. */
export function leavesOf(node) {
  if (node.kind === "screen" || node.kind === "alert") return [node];
  return onRoute(node).flatMap(leavesOf);
}

/**
 * The id of the screen that a user can act on: the visible one. undefined where two panes of a split are visible, and either may be meant, or
 * nothing is.
 */
export function speakerOf(tree) {
  return speakerIn(layersOf(tree).at(-1));
}

/** The same of one layer, or of what a container shows. */
export function speakerIn(layer) {
  const visible = seenLeaves(layer);
  return visible.length === 1 ? visible[0].id : undefined;
}

/** The node in front, which a user sees: the visible screen, or a container without a child. Of two panes it is the second one. */
export function frontOf(tree) {
  return frontIn(layersOf(tree).at(-1));
}

/** The same of one layer, or of what a container shows. */
export function frontIn(layer) {
  let node = layer;
  for (let next = node; next !== undefined; next = onRoute(node).at(-1)) node = next;
  return node;
}

/** The nodes from the front layer's root to the node in front. */
export function pathToFront(tree) {
  const path = [layersOf(tree).at(-1)];
  for (let next = onRoute(path[0]).at(-1); next !== undefined; next = onRoute(next).at(-1)) path.push(next);
  return path;
}

/** The leaves of one layer that nothing covers. */
function seenLeaves(node) {
  if (node.kind === "screen" || node.kind === "alert") return [node];
  const onTop = onRoute(node);
  return (node.kind === "stack" ? onTop.slice(-1) : onTop).flatMap(seenLeaves);
}

/** The children of a node that are on the route. */
export function onRoute(node) {
  const children = node.children ?? [];
  if (node.kind === "stack" || node.kind === "split") return children;
  const front = node.kind === "tabs" ? children[node.selected ?? 0] : children[children.length - 1];
  return front === undefined ? [] : [front];
}

/** Of several modals over one layer the newest is in front; a newer node has a higher id. */
function layersOver(layer) {
  const newest = modalsIn(layer).sort((one, other) => number(other) - number(one))[0];
  return newest === undefined ? [layer] : [layer, ...layersOver(newest)];
}

/** The modals over one layer. */
export function modalsIn(node) {
  const own = node.presented ? [node.presented] : [];
  return [...own, ...(node.children ?? []).flatMap(modalsIn)];
}

function number(node) {
  return Number(node.id.slice(1));
}

function routeOf(leaf, isPresented) {
  const route = { id: leaf.id, screen: leaf.name };
  if (leaf.params !== undefined) route.params = leaf.params;
  if (isPresented) route.presented = true;
  return route;
}
