/** Returns a function that returns random numbers below a bound. Each text has its own fixed sequence. */
export function lot(text) {
  let state = [...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Returns a random action, or an array of two. The session may refuse them. */
export function drawn(chance, session) {
  if (chance(8) === 0) return [one(chance, session), one(chance, session)];
  return one(chance, session);
}

/** Returns a random action. */
export function one(chance, session) {
  const oddSteps = ["go", "back", "pick", "more", "ask", "done", "twist"];
  const screens = ["home", "list", "detail", "notice", "asked"];
  const screen = () => screens[chance(screens.length)];
  const steps = session.accepts.steps.map(({ step, params }) => () => ({ step, params: given(chance, params) }));
  const gestures = [
    () => ({ type: "back" }), () => ({ type: "pop" }), () => ({ type: "dismiss" }), () => ({ type: "select", tab: chance(3) }),
    () => ({ type: "token", accessToken: "t" }), () => ({ type: "logout" }), () => ({ type: "advance", by: `${chance(5) + 1}s` }),
    () => ({ type: "popToRoot" }), () => ({ type: "push", screen: screen() }), () => ({ type: "present", screen: screen() }),
    () => ({ type: "set", stack: [screen(), screen()].map((name) => ({ screen: name })) }), () => ({ step: oddSteps[chance(oddSteps.length)] }),
    () => ({ type: "facts", set: { wide: chance(2) === 0 } }), () => ({ type: "appState", state: ["background", "foreground"][chance(2)] }),
  ];
  const from = steps.length > 0 && chance(3) > 0 ? steps : gestures;
  return from[chance(from.length)]();
}

/** URLs that the links of an app match, or almost match. The second versions of the unusual apps have the same links. */
const addresses = {
  delivery: ["eat://r/4", "eat://r/4/d/2", "eat://orders/7", "eat://promo/x", "eat://reset"],
  bank: ["https://bank.example/pay/DE1?amount=3", "https://bank.example/cards/c1", "https://bank.example/cards/c1/freeze", "https://bank.example/other"],
  shop: ["shop://products/4", "https://shop.example/products/x"],
  "rxflow-demo": ["rxflow://movies/3", "https://rxflow.example/movies/1"],
  qiita: ["qiita://items/3"],
  odd: ["odd://pick/3", "odd://all/2", "https://odd.example/items/5", "odd://some/other/place"],
};

/** Returns a function that posts a random link or notification. */
export function fromOutside(chance, app) {
  const known = addresses[app] ?? addresses.odd;
  const link = known[chance(known.length)];
  const category = ["order", "approval", "badge", "promo", "marketing"][chance(5)];
  const payload = { aps: { category }, data: { order_id: chance(3), approval: { id: "a1" }, tab: chance(3), count: chance(5) }, ...(chance(2) === 0 ? { link } : {}) };
  const how = [{}, { tap: false }, { state: "background" }][chance(3)];
  return chance(3) > 0 ? (session) => session.open(link) : (session) => session.notify(payload, how);
}

/** Returns random params of the given types. A type is its name, or the allowed values. */
function given(chance, params) {
  const values = { integer: () => chance(4), number: () => chance(4), boolean: () => chance(2) === 1 };
  const value = (type) => {
    const all = type?.in ?? type?.values;
    if (Array.isArray(all)) return all[chance(all.length)];
    return (values[String(type?.type ?? type).replace("?", "")] ?? (() => ["text", "one", "two"][chance(3)]))();
  };
  return Object.fromEntries(Object.entries(params).map(([name, type]) => [name, value(type)]));
}
