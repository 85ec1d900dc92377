import { isGesture } from "../actions.js";
import { nodesBelow } from "../play.js";
import { CairnProblem } from "../problem.js";
import { frontOf, pathToFront, speakerOf } from "../routes.js";

/** Binds actions to the nodes that the user saw when acting: a step to its screen, a gesture to the front node. */
export class Binding {
  #core;

  constructor(/** @type {import("./core.js").SessionCore} */ core) {
    this.#core = core;
  }

  /** The visible screen, which sends a step without `from`; null if two panes are visible, or if nothing is visible. */
  get speaker() {
    const id = speakerOf(this.#core.picture.now.tree);
    return id === undefined ? null : { id, name: this.#core.picture.now.visible.screen };
  }

  /**
   * Returns an action, or an array, in the form that is posted: `{ body, isBound, speaker }`. `from` can be a node's id, which only names the node; a node
   * (`id` and `name`), to which the action is then bound; or null, for the node that is visible when the action arrives. Without `from`, a gesture is bound to
   * the node that is visible now. Throws if `from` or `node` names no node.
   */
  bind(given, from) {
    if (Array.isArray(given)) return { body: this.#bindFirst(given) };
    const body = this.#named(given);
    if (body?.from !== undefined) return { body };
    const seen = from === undefined && isGesture(body) ? frontOf(this.#core.picture.now.tree) : from;
    const node = body?.type === "select" && typeof seen === "object" ? this.#tabsOf(body, seen) : seen;
    if (node === undefined || node === null) return { body };
    if (typeof node === "string") return { body: { ...body, from: this.#id(node, "from") } };
    const isOfPredicted = this.#core.picture.isPredicted && !this.#core.predictions.isThere;
    return { body: { ...body, from: node.id }, isBound: true, ...(isOfPredicted ? { speaker: { id: node.id, name: node.name } } : {}) };
  }

  /**
   * Returns the node to which a tap on a tab is bound. Usually this is the tabs node, so that the tap is valid whichever tab is selected when it arrives. A tap
   * on the selected tab is bound to the node that the user saw in it (`seen`), unless an earlier action of the user is not shown yet. A tap outside of tabs, or
   * on tabs that are no longer in front, is also bound to `seen`.
   */
  #tabsOf({ tab, flow, node }, seen) {
    const path = pathToFront(this.#core.picture.now.tree);
    const place = path.findIndex(({ id }) => id === seen?.id);
    const tabs = path.slice(0, place + 1).reverse().find(({ id, kind }) => kind === "tabs" && (node === undefined || id === node));
    if (tabs === undefined) return seen;
    const selected = tabs.children?.[tabs.selected ?? 0];
    const isSelected = tab === undefined ? selected?.name === flow || selected?.flow === flow : tab === (tabs.selected ?? 0);
    return isSelected && this.#core.role.isUpToDate ? seen : tabs;
  }

  /** Binds the first action of an array. An array is applied whole, so the whole array is refused if the user no longer sees the node of its first gesture. */
  #bindFirst(actions) {
    const [first, ...rest] = actions.map((action) => this.#named(action));
    return isGesture(first) ? [this.bind(first).body, ...rest] : [first, ...rest];
  }

  /** Returns the action with the ids of its nodes. */
  #named(action) {
    if (action === null || typeof action !== "object") return action;
    const made = { ...action };
    for (const name of ["from", "node"]) {
      if (made[name] === null) delete made[name];
      else if (made[name] !== undefined) made[name] = this.#id(made[name], name);
    }
    return made;
  }

  /**
   * Returns the id of a node that an app gives as an id, a node of a tree, or a route of React Navigation. A node that is given by the action that creates it
   * is returned unchanged. Throws if the value gives no id.
   */
  #id(given, name) {
    if (typeof given === "object" && given.action !== undefined) return given;
    const text = typeof given === "object" ? (given.id ?? given.key) : given;
    const isKnown = typeof text === "string" && isId(text) && [...nodesBelow(this.#core.picture.now.tree)].some(([id]) => id === text);
    const id = isKnown || typeof text !== "string" ? text : this.#core.predictions.keys.idOf(text);
    if (typeof id === "string" && isId(id)) return id;
    const detail = `\`${name}\` must be a node's id such as "n4" or a node of session.tree, not ${JSON.stringify(given)}; `
      + "the node of a route of React Navigation is session.idOf(route.key)";
    throw new CairnProblem({ code: "invalid", detail });
  }

  /** Returns the problem of an action whose node was predicted but not created by the service; undefined if the post can be sent. */
  refusal({ speaker }) {
    const isThere = ([id, { name }]) => id === speaker.id && name === speaker.name;
    if (speaker === undefined || [...nodesBelow(this.#core.picture.confirmed.tree)].some(isThere)) return undefined;
    const detail = `the action belongs to the screen ${speaker.name}, which was predicted but not created by the service`;
    return new CairnProblem({ code: "dismissed", detail });
  }
}

function isId(text) {
  return /^n\d+$/.test(text);
}
