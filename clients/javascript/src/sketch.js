/** Returns a tree in one line, in the notation of scenario files (docs/scenarios.md): `main[home, note(id: 7)] ^ hint`. */
export function sketch(/** @type {import("./types").Node} */ { children = [], presented, levels = [], overlays = [], ...node }) {
  const params = sortedEntries(node.params).map(([name, value]) => `${name}: ${shortText(value)}`);
  const modal = presented === undefined ? "" : ` ^ ${sketch(presented)}`;
  const laid = overlays.map((overlay) => ` +${overlay.slot} ${sketch(overlay)}`);
  const raised = levels.map((level) => ` ^${level.level} ${sketch(level)}`);
  const facts = node.facts === undefined ? "" : `:${compactText(node.facts)}`;
  const values = params.length === 0 ? "" : `(${params.join(", ")})`;
  return [node.name, values, body(node, children.map(sketch)), facts, contentText(node.content), modal, ...laid, ...raised].join("");
}

/** Returns the children of a container in its brackets. */
function body({ kind, selected = 0 }, children) {
  if (kind === "stack") return `[${children.join(", ")}]`;
  if (kind === "tabs") return `<${children.map((child, index) => (index === selected ? `*${child}` : child)).join(", ")}>`;
  if (kind === "split") return `{${children.join(" | ")}}`;
  return kind === "switch" ? `{${children.join(", ")}}` : "";
}

function contentText(/** @type {import("./types").Content | undefined} */ content) {
  if (content === undefined || content.status === "idle") return "";
  if (content.status !== "loaded") return `~${content.status}`;
  return content.value === undefined ? "~loaded" : `~${compactText(content.value)}`;
}

function shortText(value) {
  if (Array.isArray(value)) return "array";
  return value !== null && typeof value === "object" ? "object" : String(value);
}

function compactText(value) {
  if (Array.isArray(value)) return `[${value.map(compactText).join(",")}]`;
  if (value === null || typeof value !== "object") return shortText(value);
  return `{${sortedEntries(value).map(([name, member]) => `${name}:${compactText(member)}`).join(",")}}`;
}

function sortedEntries(members = {}) {
  return Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
}
