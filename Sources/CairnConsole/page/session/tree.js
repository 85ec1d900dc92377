// The session's tree, drawn as a device with cards, tab bars, panes, and sheets over each other.
import { button, h, shown } from "../elements/dom.js";
import { sketch, tabNames } from "./diff.js";

/** Draws a session. `marks`: the changed nodes (diff.js). `act` posts an action; null if nothing can be posted. */
export function device(session, marks, act) {
  const can = (name) => act !== null && (session.accepts?.primitives ?? []).includes(name);
  const drawing = new Drawing(session, marks, can, act);
  const isWide = hasPanes(session.tree);
  return h("div", { class: isWide ? "device wide" : "device", role: "group", "aria-label": "The screen" },
    h("div", { class: "bar" },
      can("back") ? button("‹ Back", () => act({ type: "back" }), { id: "device-back", title: "Goes back, like a phone's button (b)" }) : h("span", {}, " "),
      h("strong", {}, session.visible?.screen ?? "nothing visible"),
      can("dismiss") ? button("Close ×", () => act({ type: "dismiss" }), { id: "device-close", title: "Dismisses the front modal" }) : h("span", {}, " ")),
    drawing.layers(session.tree));
}

function hasPanes(tree) {
  return tree.kind === "split" || [...(tree.children ?? []), tree.presented, ...(tree.overlays ?? []),
    ...(tree.levels ?? [])].some((child) => child && hasPanes(child));
}

class Drawing {
  constructor(session, marks, can, act) {
    this.marks = marks;
    this.can = can;
    this.act = act;
    this.visible = session.visible?.id;
  }

  /**
   * Draws a layer with everything over it: its modals, the one with the highest order in front, then overlays and levels. A modal covers the whole layer,
   * whichever node presents it.
   */
  layers(tree) {
    const modals = modalsIn(tree).sort((one, other) => (one.order ?? number(one)) - (other.order ?? number(other)));
    return [...modals, ...(tree.overlays ?? []), ...(tree.levels ?? [])].reduce((below, over) => this.over(below, over), this.node(tree));
  }

  over(below, node) {
    const kind = node.slot !== undefined ? "overlay" : node.kind === "alert" || node.style === "alert" ? "alert" : node.style ?? "sheet";
    const level = node.slot !== undefined ? `, slot ${node.slot}` : node.level === undefined ? "" : `, level ${node.level}`;
    return h("div", { class: "layers" },
      h("div", { class: "under" }, below),
      h("div", { class: `over ${kind}`, role: "group", "aria-label": `${kind}${level}: ${node.name}` },
        h("div", { class: "tag" }, `${kind}${level}`), this.layers(node)));
  }

  node(tree) {
    switch (tree.kind) {
      case "screen":
      case "alert": return this.screen(tree);
      case "tabs": return this.tabs(tree);
      case "split": return this.split(tree);
      default: return this.stack(tree);
    }
  }

  /** The common parts of each node: its marks, and its name for screen readers. */
  frame(tree, kind, ...inner) {
    const isNew = this.marks.added.has(tree.id);
    const isChanged = this.marks.changed.has(tree.id);
    const state = [isNew ? "new" : "", isChanged ? "changed" : "", tree.id === this.visible ? "visible" : ""].filter(Boolean);
    const name = [`${tree.collapsed ? "collapsed split" : tree.kind} ${tree.name}`, ...state].join(", ");
    return h("div", { class: ["node", kind, ...state].join(" "), "data-node": tree.id, role: "group", "aria-label": name },
      isNew || isChanged ? h("span", { class: "mark" }, isNew ? "new" : "changed") : null, ...inner);
  }

  caption(tree) {
    const notes = [tree.collapsed ? "split, collapsed" : tree.kind, tree.flow ? `flow ${tree.flow}` : "", tree.guarded ? "guarded" : "",
      tree.ended ? "ended" : ""].filter(Boolean);
    return h("div", { class: "caption" }, h("b", {}, tree.name), ` ${notes.join(" · ")} `, h("small", {}, tree.id));
  }

  content(tree) {
    if (!tree.content) return null;
    const { status, value, error, ...rest } = tree.content;
    const text = value ?? (Object.keys(rest).length ? rest : undefined);
    return h("div", { class: `content ${status ?? ""}` }, h("i", {}, status ?? "content"),
      text === undefined ? "" : ` ${shown(text)}`, error ? ` ${shown(error)}` : "");
  }

  /** The params, and the facts of a flow. */
  values(tree) {
    const values = [...Object.entries(tree.params ?? {}), ...Object.entries(tree.facts ?? {})];
    return values.length ? h("dl", {}, values.map(([name, value]) => [h("dt", {}, name), h("dd", {}, shown(value))])) : null;
  }

  screen(tree) {
    return this.frame(tree, tree.kind, this.caption(tree), this.values(tree),
      tree.meta ? h("div", { class: "meta" }, shown(tree.meta.title ?? tree.meta)) : null, this.content(tree));
  }

  stack(tree) {
    const children = tree.children ?? [];
    return this.frame(tree, tree.kind, this.caption(tree), this.values(tree), this.content(tree),
      h("ol", { class: children.length > 1 ? "cards deep" : "cards" }, children.map((child) => h("li", {}, this.node(child)))));
  }

  split(tree) {
    return this.frame(tree, "split", this.caption(tree), this.values(tree), this.content(tree),
      h("ol", { class: "panes" }, (tree.children ?? []).map((child) => h("li", {}, this.node(child)))));
  }

  tabs(tree) {
    const children = tree.children ?? [];
    const front = children[tree.selected ?? 0];
    const names = tabNames(children);
    const tab = (child, index) => h("li", {}, h("button", {
      type: "button", class: "tab", id: `tab-${tree.id}-${index}`, title: sketch(child), "aria-current": index === tree.selected ? "true" : null,
      disabled: !this.can("select"), onclick: () => this.act({ type: "select", tab: index, node: tree.id }),
    }, names[index], this.marks.added.has(child.id) || hasMark(child, this.marks) ? h("span", { class: "dot" }, "•") : null));
    const behind = children.filter((child) => child !== front);
    return this.frame(tree, "tabs", this.caption(tree), this.values(tree), this.content(tree), front ? this.node(front) : null,
      h("ol", { class: "tabbar", "aria-label": `tabs of ${tree.name}` }, children.map(tab)),
      behind.length === 0 ? null : h("details", { id: `behind-${tree.id}`, class: "behind" },
        h("summary", {}, `${behind.length} ${behind.length === 1 ? "tab" : "tabs"} behind`),
          h("ol", {}, behind.map((child) => h("li", {}, this.node(child))))));
  }
}

/** The modals over a node and over its children, but not those over a modal. */
function modalsIn(tree) {
  return [tree.presented, ...(tree.children ?? []).flatMap(modalsIn)].filter(Boolean);
}

/** Returns the number in a node's id. A newer node has a higher number. */
function number({ id }) {
  return Number(id.slice(1));
}

function hasMark(tree, marks) {
  return marks.added.has(tree.id) || marks.changed.has(tree.id)
    || [...(tree.children ?? []), tree.presented].some((child) => child && hasMark(child, marks));
}
