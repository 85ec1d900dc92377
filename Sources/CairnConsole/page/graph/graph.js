// The drawing of a definition's graph. In a large graph, only the selected node's arrows have labels. They are also listed beside the graph.
import { curve, gutter } from "./curves.js";
import { button, fill, h, s } from "../elements/dom.js";
import { layout } from "./layout.js";
import { View } from "../elements/view.js";
import { name, told } from "./words.js";

/** Maximum number of arrows of a graph in which all arrows have labels while no node is selected. More labels would overlap. */
const FEW = 14;

export class Graph {
  #chosen = "";

  constructor() {
    this.svg = s("svg", { class: "graph", tabindex: 0, role: "img",
      "aria-label": "The definition's graph; the list next to it has the same transitions as text" });
    this.view = new View(this.svg);
    this.find = h("select", { id: "graph-find", "aria-label": "Find a flow or screen", onchange: () => this.choose(this.find.value) });
    this.words = h("div", { class: "words", role: "status" });
    this.legend = h("p", { class: "quiet legend" });
    this.element = h("section", { class: "panel", "aria-label": "Graph" },
      h("div", { class: "heading" }, h("h3", {}, "Graph"), this.find,
        button("+", () => this.view.zoom(0.8), { "aria-label": "Nearer" }), button("−", () => this.view.zoom(1.25), { "aria-label": "Farther" }),
        button("Whole", () => this.view.whole()), button("Session", () => this.#toLit(), { title: "Shows the session's position" })),
      h("div", { class: "map" }, this.svg, this.words), this.legend);
  }

  fail(text) {
    fill(this.svg);
    fill(this.words, h("p", { class: "bad" }, text));
  }

  draw(graph) {
    this.graph = graph;
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    const { boxes, width, height } = layout(graph);
    this.boxes = boxes;
    this.arrows = merged(graph.edges.filter(({ from, to }) => boxes.has(from) && boxes.has(to)));
    const tip = { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse",
      orient: "auto-start-reverse" };
    fill(this.svg, s("defs", {}, s("marker", tip, s("path", { d: "M0 0L8 4L0 8z" }))),
      graph.nodes.filter((node) => node.kind === "flow").map((node) => this.#node(node)), this.arrows.map((arrow) => this.#arrow(arrow)),
      graph.nodes.filter((node) => node.kind !== "flow").map((node) => this.#node(node)));
    this.svg.classList.toggle("few", this.arrows.length <= FEW);
    this.svg.style.aspectRatio = `${width} / ${height}`;
    fill(this.find, h("option", { value: "" }, "Find…"), ["flow", "screen"].map((kind) => this.#options(kind)));
    fill(this.legend, Object.entries(graph.legend?.styles ?? {}).map(([style, text]) => h("span", {},
      s("svg", { class: "graph sample", viewBox: "0 0 30 8", "aria-hidden": "true" }, s("g", { class: `arrow ${style}` }, s("path", { d: "M0 4H30" }))),
      ` ${text} `)));
    this.choose("");
    // The words beside the drawing use a part of the width, so they are created first.
    this.view.measure(width, height);
  }

  /** The entries of the select element for one kind of node, by name. A screen is named with its flow. */
  #options(kind) {
    const text = (node) => (node.parent ? `${name(node)} (${name(this.nodes.get(node.parent))})` : name(node));
    const all = this.graph.nodes.filter((node) => node.kind === kind).sort((one, other) => name(one).localeCompare(name(other)));
    return h("optgroup", { label: `${kind}s` }, all.map((node) => h("option", { value: node.id }, text(node))));
  }

  #node(node) {
    const box = this.boxes.get(node.id);
    if (!box) return null;
    const text = name(node);
    const kind = ["flow", "screen"].includes(node.kind) ? node.kind : "source";
    return s("g", { class: kind, "data-id": node.id, onclick: () => this.choose(node.id) },
      s("title", {}, [node.kind, node.label, node.container].filter(Boolean).join(" ")),
      s("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: node.kind === "flow" ? 8 : 5 }),
      s("text", { x: box.x + 9, y: box.y + (node.kind === "flow" ? 17 : 19) }, short(text, box.width)),
      node.container ? s("text", { class: "kind", x: box.x + box.width - 9, y: box.y + 17, "text-anchor": "end" }, node.container) : null);
  }

  #arrow(arrow) {
    const [from, to] = [this.nodes.get(arrow.from), this.nodes.get(arrow.to)];
    const { path, x, y } = to.parent === from.id ? gutter(this.boxes.get(from.id), this.boxes.get(to.id), false)
      : from.parent === to.id ? gutter(this.boxes.get(to.id), this.boxes.get(from.id), true)
      : curve(this.#end(arrow.from), this.#end(arrow.to));
    return s("g", { class: `arrow ${arrow.kinds.join(" ")}`, "data-from": arrow.from, "data-to": arrow.to }, s("path", { d: path, "marker-end": "url(#tip)" }),
      s("text", { x, y }, short(arrow.labels[0], 210), arrow.labels.length > 1 ? ` +${arrow.labels.length - 1}` : ""));
  }

  /** The box at which arrows of a node start and end. For a flow it is the box of its head. */
  #end(id) {
    const box = this.boxes.get(id);
    return this.nodes.get(id).kind === "flow" ? { ...box, height: 26 } : box;
  }

  /** Highlights a node's arrows and lists them. An empty id, or that of the selected node, removes the selection. */
  choose(id) {
    this.#chosen = id === this.#chosen ? "" : id;
    const chosen = this.nodes.get(this.#chosen);
    this.find.value = chosen && [...this.find.options].some((option) => option.value === chosen.id) ? chosen.id : "";
    this.svg.classList.toggle("chosen", Boolean(chosen));
    for (const each of this.svg.querySelectorAll("[data-id]")) each.classList.toggle("on", each.getAttribute("data-id") === chosen?.id);
    for (const each of this.svg.querySelectorAll("[data-from]")) {
      each.classList.toggle("on", Boolean(chosen) && ["data-from", "data-to"].some((name) => each.getAttribute(name) === chosen.id));
    }
    this.svg.classList.toggle("labelled", this.svg.querySelectorAll(".arrow.on").length <= 6);
    fill(this.words, chosen ? told(chosen, this.nodes, this.arrows, (other) => this.choose(other))
      : h("p", { class: "quiet" }, "Select a flow or a screen to list its transitions here."));
    if (chosen && this.boxes.has(chosen.id)) this.view.show(this.boxes.get(chosen.id));
  }

  /** Highlights the nodes of a session. `present`: the nodes of its tree; `visible`: the visible screen. */
  light(present, visible) {
    if (!this.graph) return;
    for (const each of this.svg.querySelectorAll("[data-id]")) {
      const node = this.nodes.get(each.getAttribute("data-id"));
      const isThere = present.some((other) => isSame(node, other, this.nodes));
      each.classList.toggle("lit", isThere);
      each.classList.toggle("visible", Boolean(visible) && node.kind === "screen" && name(node) === visible.screen
        && (!node.parent || name(this.nodes.get(node.parent)) === visible.flow || !this.#has(visible)));
    }
  }

  /** Whether the graph shows the visible screen as a screen of the flow in which it is visible. */
  #has({ screen, flow }) {
    return this.graph.nodes.some((node) => node.kind === "screen" && name(node) === screen && node.parent && name(this.nodes.get(node.parent)) === flow);
  }

  #toLit() {
    const lit = this.svg.querySelector(".visible[data-id]") ?? this.svg.querySelector(".lit[data-id]");
    if (lit) this.view.show(this.boxes.get(lit.getAttribute("data-id")), true);
  }
}

function isSame(node, other, all) {
  if (node.kind === "flow") return other.kind !== "screen" && other.kind !== "alert" ? other.name === name(node) : other.flow === name(node);
  const isScreen = other.kind === "screen" || other.kind === "alert";
  return node.kind === "screen" && isScreen && name(node) === other.name && (!other.flow || !node.parent || name(all.get(node.parent)) === other.flow);
}

/** Merges all edges between the same two nodes into one arrow. */
function merged(edges) {
  const arrows = new Map();
  for (const { from, to, label, kind, style, condition, hearer } of edges) {
    const key = `${from}\n${to}`;
    const arrow = arrows.get(key) ?? { from, to, labels: [], kinds: [] };
    const words = [label || style || kind || "", hearer ? `↑ ${hearer.replace("flow:", "")}` : "", condition ? `[${condition}]` : ""];
    arrow.labels.push(words.filter(Boolean).join(" "));
    for (const word of [kind, style]) if (/^[a-z]+$/i.test(word ?? "") && !arrow.kinds.includes(word)) arrow.kinds.push(word);
    arrows.set(key, arrow);
  }
  return [...arrows.values()];
}

function short(text, width) {
  const most = Math.floor((width - 16) / 6.6);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
