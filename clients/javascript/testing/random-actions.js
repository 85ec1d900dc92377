/** Numbers below a bound, the same at each run for the same text. */
export function lot(text) {
  let state = [...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** A random action, or two of them, which a session accepts or not. */
export function drawn(chance, session) {
  if (chance(8) === 0) return [one(chance, session), one(chance, session)];
  return one(chance, session);
}

/** A random action. */
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

/** Params of the accepted types: a type's name, or the allowed values. */
function given(chance, params) {
  const values = { integer: () => chance(4), number: () => chance(4), boolean: () => chance(2) === 1 };
  const value = (type) => {
    const all = type?.in ?? type?.values;
    if (Array.isArray(all)) return all[chance(all.length)];
    return (values[String(type?.type ?? type).replace("?", "")] ?? (() => ["text", "one", "two"][chance(3)]))();
  };
  return Object.fromEntries(Object.entries(params).map(([name, type]) => [name, value(type)]));
}
