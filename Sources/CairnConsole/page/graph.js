// The graph of a definition, drawn; one node's arrows at a time carry their labels, and are told beside it.
import { button, fill, h, s } from "./dom.js"
import { layout } from "./layout.js"
import { View } from "./view.js"

/** How many arrows are labelled all at once: beyond, labels lie over each other, and the words beside have them. */
const FEW = 14

export class Graph {
  #chosen = ""

  constructor() {
    this.svg = s("svg", { class: "graph", tabindex: 0, role: "img", "aria-label": "The definition's graph; the list beside it says the same in words" })
    this.view = new View(this.svg)
    this.find = h("select", { id: "graph-find", "aria-label": "Find a flow or screen", onchange: () => this.choose(this.find.value) })
    this.words = h("div", { class: "words", role: "status" })
    this.legend = h("p", { class: "quiet legend" })
    this.element = h("section", { class: "panel", "aria-label": "Graph" }, h("div", { class: "heading" }, h("h3", {}, "Graph"), this.find,
      button("+", () => this.view.zoom(0.8), { "aria-label": "Nearer" }), button("−", () => this.view.zoom(1.25), { "aria-label": "Farther" }),
      button("Whole", () => this.view.whole()), button("Session", () => this.#toLit(), { title: "To where the session is" })), h("div", { class: "map" }, this.svg, this.words), this.legend)
  }

  fail(text) {
    fill(this.svg)
    fill(this.words, h("p", { class: "bad" }, text))
  }

  draw(graph) {
    this.graph = graph
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]))
    const { boxes, width, height } = layout(graph)
    this.boxes = boxes
    this.arrows = merged(graph.edges.filter(({ from, to }) => boxes.has(from) && boxes.has(to)))
    fill(this.svg, s("defs", {}, s("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path", { d: "M0 0L8 4L0 8z" }))),
      graph.nodes.filter((node) => node.kind === "flow").map((node) => this.#node(node)), this.arrows.map((arrow) => this.#arrow(arrow)),
      graph.nodes.filter((node) => node.kind !== "flow").map((node) => this.#node(node)))
    this.svg.classList.toggle("few", this.arrows.length <= FEW)
    this.svg.style.aspectRatio = `${width} / ${height}`
    this.view.measure(width, height)
    const kinds = ["flow", "screen"].map((kind) => h("optgroup", { label: `${kind}s` }, graph.nodes.filter((node) => node.kind === kind).sort((one, other) => name(one).localeCompare(name(other)))
      .map((node) => h("option", { value: node.id }, node.kind === "flow" ? name(node) : `${name(node)}${node.parent ? ` (${name(this.nodes.get(node.parent))})` : ""}`))))
    fill(this.find, h("option", { value: "" }, "Find…"), kinds)
    fill(this.legend, Object.entries(graph.legend?.styles ?? {}).map(([style, text]) => h("span", {}, s("svg", { class: "graph sample", viewBox: "0 0 30 8", "aria-hidden": "true" },
      s("g", { class: `arrow ${style}` }, s("path", { d: "M0 4H30" }))), ` ${text} `)))
    this.choose("")
  }

  #node(node) {
    const box = this.boxes.get(node.id)
    if (!box) return null
    const text = name(node)
    return s("g", { class: `${node.kind === "flow" ? "flow" : node.kind === "screen" ? "screen" : "source"}`, "data-id": node.id, onclick: () => this.choose(node.id) },
      s("title", {}, [node.kind, node.label, node.container].filter(Boolean).join(" ")),
      s("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: node.kind === "flow" ? 8 : 5 }),
      s("text", { x: box.x + 9, y: box.y + (node.kind === "flow" ? 17 : 19) }, short(text, box.width)),
      node.container ? s("text", { class: "kind", x: box.x + box.width - 9, y: box.y + 17, "text-anchor": "end" }, node.container) : null)
  }

  #arrow(arrow) {
    const [from, to] = [this.nodes.get(arrow.from), this.nodes.get(arrow.to)]
    const { path, x, y } = to.parent === from.id ? gutter(this.boxes.get(from.id), this.boxes.get(to.id), false)
      : from.parent === to.id ? gutter(this.boxes.get(to.id), this.boxes.get(from.id), true)
      : curve(this.#end(arrow.from), this.#end(arrow.to))
    return s("g", { class: `arrow ${arrow.kinds.join(" ")}`, "data-from": arrow.from, "data-to": arrow.to }, s("path", { d: path, "marker-end": "url(#tip)" }),
      s("text", { x, y }, short(arrow.labels[0], 210), arrow.labels.length > 1 ? ` +${arrow.labels.length - 1}` : ""))
  }

  /** Where arrows meet a node; a flow's, at its head. */
  #end(id) {
    const box = this.boxes.get(id)
    return this.nodes.get(id).kind === "flow" ? { ...box, height: 26 } : box
  }

  /** One node's arrows in front, and in words; an empty id: all again. */
  choose(id) {
    this.#chosen = id === this.#chosen ? "" : id
    const chosen = this.nodes.get(this.#chosen)
    this.find.value = chosen && [...this.find.options].some((option) => option.value === chosen.id) ? chosen.id : ""
    this.svg.classList.toggle("chosen", Boolean(chosen))
    for (const each of this.svg.querySelectorAll("[data-id]")) each.classList.toggle("on", each.dataset.id === chosen?.id)
    for (const each of this.svg.querySelectorAll("[data-from]")) each.classList.toggle("on", Boolean(chosen) && (each.dataset.from === chosen.id || each.dataset.to === chosen.id))
    const from = this.arrows.filter((arrow) => arrow.from === chosen?.id)
    this.svg.classList.toggle("labelled", this.svg.querySelectorAll(".arrow.on").length <= 6)
    const to = this.arrows.filter((arrow) => arrow.to === chosen?.id && arrow.from !== chosen?.id)
    const list = (title, arrows, end) => (arrows.length ? [h("h4", {}, title), h("ul", {}, arrows.map((arrow) => arrow.labels.map((label) =>
      h("li", {}, label, " ", button(name(this.nodes.get(arrow[end])), () => this.choose(arrow[end]), { class: "quiet" })))))] : null)
    fill(this.words, chosen ? [h("h4", {}, `${chosen.kind} ${name(chosen)}`, chosen.container ? h("small", {}, ` ${chosen.container}${chosen.collapse ? `, a stack while ${chosen.collapse}` : ""}`) : null), Object.entries(chosen.params ?? {}).map(([key, type]) => h("p", {}, h("code", {}, `${key}: ${typeof type === "string" ? type : JSON.stringify(type)}`))),
      chosen.emits ? h("p", { class: "quiet" }, `emits ${chosen.emits.join(", ") || "nothing"}`) : null, chosen.handles?.length ? h("p", { class: "quiet" }, `handles ${chosen.handles.join(", ")}`) : null,
      list("From here", from, "to"), list("To here", to, "from")] : h("p", { class: "quiet" }, "Choose a flow or a screen: its arrows are told here."))
    if (chosen && this.boxes.has(chosen.id)) this.view.show(this.boxes.get(chosen.id))
  }

  /** Lights up what a session has: `present` are its tree's nodes, `visible` is what is in front. */
  light(present, visible) {
    if (!this.graph) return
    for (const each of this.svg.querySelectorAll("[data-id]")) {
      const node = this.nodes.get(each.dataset.id)
      const isThere = present.some((other) => isSame(node, other, this.nodes))
      each.classList.toggle("lit", isThere)
      each.classList.toggle("visible", Boolean(visible) && node.kind === "screen" && name(node) === visible.screen && (!node.parent || name(this.nodes.get(node.parent)) === visible.flow || !this.#has(visible)))
    }
  }

  /** Whether the screen stands in the flow that it is visible in. */
  #has({ screen, flow }) {
    return this.graph.nodes.some((node) => node.kind === "screen" && name(node) === screen && node.parent && name(this.nodes.get(node.parent)) === flow)
  }

  #toLit() {
    const lit = this.svg.querySelector(".visible[data-id]") ?? this.svg.querySelector(".lit[data-id]")
    if (lit) this.view.show(this.boxes.get(lit.dataset.id), true)
  }
}

/** What a node is called in the definition. */
function name(node) {
  return node?.screen ?? node?.flow ?? node?.label ?? ""
}

function isSame(node, other, all) {
  if (node.kind === "flow") return other.kind !== "screen" && other.kind !== "alert" ? other.name === name(node) : other.flow === name(node)
  return node.kind === "screen" && name(node) === other.name && (other.kind === "screen" || other.kind === "alert") && (!other.flow || !node.parent || name(all.get(node.parent)) === other.flow)
}

/** One arrow for all that lead from one node to another. */
function merged(edges) {
  const arrows = new Map()
  for (const { from, to, label, kind, style, condition, hearer } of edges) {
    const key = `${from}\n${to}`
    const arrow = arrows.get(key) ?? { from, to, labels: [], kinds: [] }
    arrow.labels.push([label || style || kind || "", hearer ? `↑ ${hearer.replace("flow:", "")}` : "", condition ? `[${condition}]` : ""].filter(Boolean).join(" "))
    for (const word of [kind, style]) if (/^[a-z]+$/i.test(word ?? "") && !arrow.kinds.includes(word)) arrow.kinds.push(word)
    arrows.set(key, arrow)
  }
  return [...arrows.values()]
}

/** Between a flow's head and a screen of its own: down beside the column that it stands in. */
function gutter(flow, screen, isUp) {
  const [x, top, y] = [screen.x - 7, flow.y + 25, screen.y + screen.height / 2]
  return { path: isUp ? `M${screen.x} ${y + 5}H${x + 2}V${top}` : `M${x - 2} ${top}V${y}H${screen.x}`, x: screen.x + screen.width / 2, y: y + 4 }
}

function curve(from, to) {
  const [a, b] = [middle(from), middle(to)]
  if (from.x === to.x && from.y === to.y) {
    const x = from.x + from.width
    return { path: `M${x} ${a.y - 6}c34 -14 34 26 0 14`, x: x + 30, y: a.y }
  }
  const isBeside = to.x > from.x + from.width || from.x > to.x + to.width
  const [x1, x2] = isBeside ? (to.x > from.x ? [from.x + from.width, to.x] : [from.x, to.x + to.width]) : [from.x + from.width, to.x + to.width]
  const bend = isBeside ? (x2 - x1) / 2 : Math.min(60, 24 + Math.abs(b.y - a.y) / 8)
  const [c1, c2] = isBeside ? [x1 + bend, x2 - bend] : [x1 + bend, x2 + bend]
  return { path: `M${x1} ${a.y}C${c1} ${a.y} ${c2} ${b.y} ${x2} ${b.y}`, x: (x1 + x2 + (isBeside ? 0 : 1.5 * bend)) / 2, y: (a.y + b.y) / 2 - 4 }
}

function middle(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function short(text, width) {
  const most = Math.floor((width - 16) / 6.6)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
