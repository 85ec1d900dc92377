/**
 * Returns a value that equals `after`, but uses the objects of `before` for all equal parts, so that a comparison by identity shows which parts changed.
 * Returns `before` or `after` itself if all parts of the result belong to it.
 */
export function share(before, after) {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) return shareItems(before, after);
  if (!isObject(before) || !isObject(after)) return after;
  const shared = {};
  for (const name of Object.keys(after)) shared[name] = share(before[name], after[name]);
  const isSame = Object.keys(before).length === Object.keys(after).length && Object.keys(after).every((name) => shared[name] === before[name]);
  if (isSame) return before;
  return Object.keys(after).every((name) => shared[name] === after[name]) ? after : shared;
}

/** Matches items with an id by the id, wherever they are, and other items by their index. */
function shareItems(before, after) {
  const known = new Map(before.filter((item) => item?.id !== undefined).map((item) => [item.id, item]));
  const shared = after.map((item, index) => share(item?.id === undefined ? before[index] : known.get(item.id), item));
  if (shared.length === before.length && shared.every((item, index) => item === before[index])) return before;
  return shared.every((item, index) => item === after[index]) ? after : shared;
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
