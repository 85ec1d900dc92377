// The differences between two trees. Nodes are compared by id.

/** Yields each node of a tree with the id of its parent. */
export function* nodes(tree, holder = "") {
  if (!tree) return;
  yield { node: tree, holder };
  for (const child of [...(tree.children ?? []), tree.presented, ...(tree.overlays ?? []), ...(tree.levels ?? [])]) yield* nodes(child, tree.id);
}

/** Returns the differences: `added` and `changed` contain ids, and `gone` contains nodes. Of a created or destroyed subtree, only the root is listed. */
export function difference(before, after) {
  const [added, changed, gone] = [new Set(), new Set(), []];
  if (!before || !after) return { added, changed, gone };
  const was = new Map([...nodes(before)].map((each) => [each.node.id, each]));
  const is = new Map([...nodes(after)].map((each) => [each.node.id, each]));
  for (const [id, { node, holder }] of is) {
    if (!was.has(id)) { if (!holder || was.has(holder)) added.add(id); } else if (own(was.get(id).node) !== own(node)) changed.add(id);
  }
  for (const [id, { node, holder }] of was) if (!is.has(id) && (!holder || is.has(holder))) gone.push(node);
  return { added, changed, gone };
}

/** The members of a node without its children. */
function own({ children, presented, levels, overlays, ...members }) {
  return JSON.stringify(members);
}

/** Returns a tree in one line, in the notation of scenarios, without facts and contents. */
export function sketch(tree) {
  const inner = (tree.children ?? []).map((child, index) =>
    (tree.kind === "tabs" && index === tree.selected ? "*" : "") + sketch(child));
  const body = { stack: ["[", ", ", "]"], tabs: ["<", ", ", ">"], switch: ["{", ", ", "}"], split: ["{", " | ", "}"] }[tree.kind];
  const modal = tree.presented ? ` ^ ${sketch(tree.presented)}` : "";
  const raised = (tree.levels ?? []).map((child) => ` ^${child.level} ${sketch(child)}`).join("");
  const laid = (tree.overlays ?? []).map((child) => ` +${child.slot} ${sketch(child)}`).join("");
  return tree.name + values(tree.params) + (body ? body[0] + inner.join(body[1]) + body[2] : "") + modal + laid + raised;
}

/**
 * A name for each tab: that of its flow or screen. Tabs of the same name are followed by the params in which they differ, or by their position, starting at 1,
 * if they have the same params.
 */
export function tabNames(tabs) {
  const name = (tab) => tab.flow ?? tab.name;
  return tabs.map((tab, index) => {
    const alike = tabs.filter((each) => name(each) === name(tab));
    if (alike.length === 1) return name(tab);
    const differs = (param) => alike.some((each) => JSON.stringify(each.params?.[param]) !== JSON.stringify(tab.params?.[param]));
    const own = Object.fromEntries(Object.entries(tab.params ?? {}).filter(([param]) => differs(param)));
    const isUnique = alike.filter((each) => JSON.stringify(each.params) === JSON.stringify(tab.params)).length === 1;
    return isUnique && Object.keys(own).length > 0 ? `${name(tab)} ${values(own)}` : `${name(tab)} ${index + 1}`;
  });
}

/** Params in one line, such as `(productId: 9)`; empty if there are none. */
export function values(params) {
  const given = Object.entries(params ?? {});
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  return given.length === 0 ? "" : `(${given.map(([name, value]) => `${name}: ${text(value)}`).join(", ")})`;
}
