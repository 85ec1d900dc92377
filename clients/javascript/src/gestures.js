import { fromNavigationState } from "./from-navigation-state.js";
import { coversOf, frontOf } from "./routes.js";
import { sorted } from "./sorted.js";
import { treeOf } from "./snapshots.js";

/**
 * Returns the gestures that lead from the source's tree to a state. The app has to post them as one array; it is empty if nothing changed. Returns undefined
 * for changes that no gesture makes, such as a new or replaced screen, or other params. The app then has to set the container to Cairn's state again, and post
 * a step instead.
 */
export function gesturesBetween(source, state) {
  return gesturesOf(treeOf(source), fromNavigationState(state, source));
}

/** Returns the gestures between two trees, as `gesturesBetween` does. */
export function gesturesOf(before, after) {
  const [now, then] = [coversOf(after), coversOf(before)];
  const kept = now.length;
  if (kept > then.length) return undefined;
  const gestures = { dismiss: [], select: [], pop: [] };
  for (const [index, layer] of now.entries()) if (!compare(then[index], layer, gestures)) return undefined;
  if (kept < then.length) gestures.dismiss.push({ type: "dismiss", node: then[kept].id });
  const [first, ...rest] = [...gestures.dismiss, ...gestures.select, ...gestures.pop];
  if (first === undefined) return [];
  // A tap on another tab is valid, whichever tab is selected when the tap arrives.
  const from = first.type === "select" ? first.node : frontOf(before).id;
  return [from === undefined ? first : { ...first, from }, ...rest];
}

/** Collects the gestures that changed a node or the nodes below it. Returns false if no gesture makes the change. */
function compare(before, after, gestures) {
  if (before === undefined || before.id !== after.id || before.name !== after.name || !isSame(before.params, after.params)) return false;
  // A navigator that is not mounted yet has no state, and has received no gesture.
  if (after.children === undefined) return true;
  const children = before.children ?? [];
  if (after.children.length > children.length) return false;
  if (!after.children.every((child, index) => compare(children[index], child, gestures))) return false;
  if (after.children.length < children.length) {
    if (before.kind === "tabs" || after.children.length === 0) return false;
    gestures.pop.push({ type: "pop", node: children[after.children.length].id });
  }
  if (before.kind === "tabs" && (before.selected ?? 0) !== after.selected) {
    gestures.select.push({ type: "select", tab: after.selected, node: before.id });
  }
  return true;
}

function isSame(one, other) {
  return sorted(one) === sorted(other);
}
