/** Returns the visible routes of a tree from the root to the leaf, modals included: the service's `stack`, without each entry's flow. */
export function routesOf(tree) {
  return coversOf(tree).flatMap((layer, index) => leavesOf(layer).map((leaf, place) => routeOf(leaf, index > 0 && place === 0)));
}

/** Returns the layers from the back to the front: the root, the modals over it, the overlays, then each modal on a level and the modals over it. */
export function layersOf(tree) {
  return [...layersOver(tree), ...(tree.overlays ?? []), ...(tree.levels ?? []).flatMap(layersOver)];
}

/** Returns the layers that cover each other: `layersOf` without the overlays. */
export function coversOf(tree) {
  return [tree, ...(tree.levels ?? [])].flatMap(layersOver);
}

/** Returns the screens of one layer that are on the route, without the screens of its modals. */
export function leavesOf(node) {
  if (node.kind === "screen" || node.kind === "alert") return [node];
  return onRoute(node).flatMap(leavesOf);
}

/**
 * Returns the id of the screen that a user can act on, which is the visible screen. Returns undefined if nothing is visible, or if two panes of a split are
 * visible, because the user may mean either pane.
 */
export function speakerOf(tree) {
  return speakerIn(coversOf(tree).at(-1));
}

/** Like `speakerOf`, for one layer or for a container. */
export function speakerIn(layer) {
  const visible = seenLeaves(layer);
  return visible.length === 1 ? visible[0].id : undefined;
}

/** Returns the front node, which a user sees: the visible screen, or a container without a child. Of two panes, it is the second pane. */
export function frontOf(tree) {
  return frontIn(coversOf(tree).at(-1));
}

/** Like `frontOf`, for one layer or for a container. */
export function frontIn(layer) {
  let node = layer;
  for (let next = node; next !== undefined; next = onRoute(node).at(-1)) node = next;
  return node;
}

/** Returns the nodes from the front layer's root to the front node. */
export function pathToFront(tree) {
  const path = [coversOf(tree).at(-1)];
  for (let next = onRoute(path[0]).at(-1); next !== undefined; next = onRoute(next).at(-1)) path.push(next);
  return path;
}

/** Returns the uncovered leaves of one layer. */
function seenLeaves(node) {
  if (node.kind === "screen" || node.kind === "alert") return [node];
  const onTop = onRoute(node);
  return (node.kind === "stack" ? onTop.slice(-1) : onTop).flatMap(seenLeaves);
}

/** Returns the children of a node that are on the route. */
export function onRoute(node) {
  const children = node.children ?? [];
  if (node.kind === "stack" || node.kind === "split") return children;
  const front = node.kind === "tabs" ? children[node.selected ?? 0] : children[children.length - 1];
  return front === undefined ? [] : [front];
}

/** Returns a layer and the layers over it. Of several modals over one layer, the newest is in front, which has the highest order. */
function layersOver(layer) {
  const newest = modalsIn(layer).sort((one, other) => orderOf(other) - orderOf(one))[0];
  return newest === undefined ? [layer] : [layer, ...layersOver(newest)];
}

/** Returns the modals over one layer. */
export function modalsIn(node) {
  const own = node.presented ? [node.presented] : [];
  return [...own, ...(node.children ?? []).flatMap(modalsIn)];
}

/** Returns the order of a modal: the number in its id, unless the modal has come to the front again since its creation. */
function orderOf(/** @type {import("./types").Node} */ node) {
  return node.order ?? number(node);
}

/** Returns the number in a node's id. A newer node has a higher number. */
export function number(node) {
  return Number(node.id.slice(1));
}

function routeOf(leaf, isPresented) {
  const route = { id: leaf.id, screen: leaf.name };
  if (leaf.params !== undefined) route.params = leaf.params;
  if (isPresented) route.presented = true;
  return route;
}
