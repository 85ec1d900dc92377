/** The navigators of an app with three tabs: two stacks and a screen. Its modals are a screen and a flow, and its stacks can contain a flow. */
export const navigators = {
  root: { type: "stack", routeNames: ["app", "chat", "checkout"] },
  app: { type: "tab", routeNames: ["home", "orders", "profile"] },
  home: { type: "stack", routeNames: ["list", "dish", "pick"] },
  orders: { type: "stack", routeNames: ["list", "dish"] },
  pick: { type: "tab", routeNames: ["left", "right"] },
  left: { type: "stack", routeNames: ["list", "dish"] },
  checkout: { type: "stack", routeNames: ["list", "dish", "pick"] },
};

/** Creates trees of this app. Each new node has the next id. */
export class Trees {
  #last = 0;

  get tree() {
    const tabs = [this.#node("home", "list"), this.#node("orders", "list"), this.#node("profile")];
    return { ...this.#node("app"), kind: "tabs", selected: 0, children: tabs };
  }

  /** Returns the tree after one random change. `chance(n)` returns a random number below n. */
  changed(tree, chance) {
    const copy = structuredClone(tree);
    const all = nodesIn(copy);
    const stacks = all.filter(({ kind }) => kind === "stack");
    const stack = stacks[chance(stacks.length)];
    const tabs = all.filter(({ kind }) => kind === "tabs");
    const front = all.find(({ presented }) => presented);
    const one = (items) => items[chance(items.length)];
    const changes = {
      push: () => stack.children.push(this.#some(navigators[stack.name].routeNames, chance)),
      pop: () => stack.children.splice(1 + chance(stack.children.length)),
      replace: () => stack.children.splice(-1, 1, this.#some(navigators[stack.name].routeNames, chance)),
      remove: () => stack.children.length > 1 && stack.children.splice(chance(stack.children.length), 1),
      set: () => { stack.children = [this.#node("list"), this.#node("dish")]; },
      select: () => { const chosen = one(tabs); chosen.selected = chance(chosen.children.length); },
      more: () => { const shown = one(all); shown.params = { ...shown.params, [one(["a", "b"])]: chance(3) }; },
      fewer: () => { delete one(all).params; },
      tab: () => { copy.children[1] = this.#node("orders", "list"); },
      present: () => { (front?.presented ?? copy).presented = this.#some(["chat", "checkout"], chance); },
      dismiss: () => { if (front) delete front.presented; },
    };
    const kind = one(Object.keys(changes));
    changes[kind]();
    return copy;
  }

  #some(names, chance) {
    const name = names[chance(names.length)];
    if (name === "pick") return { ...this.#node("pick"), kind: "tabs", selected: chance(2), children: [this.#node("left", "list"), this.#node("right")] };
    return name === "checkout" ? this.#node("checkout", "list") : { ...this.#node(name), ...(chance(2) === 0 ? {} : { params: { a: chance(3) } }) };
  }

  #node(name, child) {
    const id = `n${(this.#last += 1)}`;
    return child === undefined ? { id, kind: "screen", name } : { id, kind: "stack", name, children: [this.#node(child)] };
  }
}

function nodesIn(node) {
  return [node, ...(node.children ?? []).flatMap(nodesIn), ...(node.presented ? nodesIn(node.presented) : [])];
}

/** Returns a function that returns random numbers below a bound. Each seed has its own fixed sequence. */
export function lot(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
