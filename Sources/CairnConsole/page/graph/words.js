// A node of a graph as text: for users who do not see the drawing, and for labels that are too long for it.
import { button, h } from "../elements/dom.js";

/** Returns the name of a node in the definition. */
export function name(node) {
  return node?.screen ?? node?.flow ?? node?.label ?? "";
}

/** Describes a node and its arrows; `choose(id)` selects another node. */
export function told(node, nodes, arrows, choose) {
  const about = [node.container, node.collapse ? `a stack while ${node.collapse}` : ""].filter(Boolean).join(", ");
  const names = (word, list) => (list ? h("p", { class: "quiet" }, `${word} ${list.join(", ") || "nothing"}`) : null);
  const list = (title, some, end) => (some.length === 0 ? null : [h("h4", {}, title), h("ul", {}, some.flatMap((arrow) => arrow.labels.map((label) =>
    h("li", {}, label, " ", button(name(nodes.get(arrow[end])), () => choose(arrow[end]), { class: "quiet" })))))]);
  return [
    h("h4", {}, `${node.kind} ${name(node)}`, about ? h("small", {}, ` ${about}`) : null),
    Object.entries(node.params ?? {}).map(([param, type]) => h("p", {}, h("code", {}, `${param}: ${typeof type === "string" ? type : JSON.stringify(type)}`))),
    names("emits", node.emits), names("handles", node.handles?.length ? node.handles : null),
    list("From here", arrows.filter(({ from }) => from === node.id), "to"),
    list("To here", arrows.filter(({ from, to }) => to === node.id && from !== node.id), "from"),
  ];
}
