import { settled } from "./manual-machine.js";
import { opened } from "./opened.js";
import { act, createRoot, React, window } from "./page.js";
import { answer, session, stream } from "./scripted-service.js";

const { createElement: h, StrictMode, useEffect } = React;
const { SessionProvider } = await import("../src/react.js");

export const home = { id: "n2", kind: "screen", name: "home" };
export const detail = { id: "n4", kind: "screen", name: "detail" };
export const change = (revision, ...changes) => ({ outcome: "performed", revision, events: [], changes });
export const show = (tree) => session(1, { tree });

/** Returns a response that waits, and a function with which the test sends it. */
export function held() {
  let give;
  const given = new Promise((resolve) => { give = resolve; });
  return [() => given, (made) => act(async () => { give(made); await settled(); })];
}

/** Opens a session with an event stream. `hear` sends a change by another client. In StrictMode the client opens two streams. */
export async function followed({ whole, strict = false, ...options } = {}, ...answers) {
  const streams = [stream(), ...(strict ? [stream()] : [])];
  const made = await opened({ whole: answer(whole ?? session()), ...options }, ...streams.map((one) => one.answer), ...answers);
  const hear = (body) => act(async () => { streams.at(-1).event("change", body, body.revision); await settled(); });
  return { ...made, hear };
}

/** Draws an element below a `SessionProvider`: `{ place, draw, unmount }`. `draw` replaces the element by another one. */
export async function drawn(one, element, { strict = false, ...props } = {}) {
  const place = window.document.createElement("main");
  const root = createRoot(place);
  const draw = (element) => act(async () => {
    const provided = h(SessionProvider, { session: one, ...props }, element);
    root.render(strict ? h(StrictMode, {}, provided) : provided);
    await settled();
  });
  await draw(element);
  return { place, draw, unmount: () => act(async () => { root.unmount(); await settled(); }) };
}

/** Returns components that log their renders, mounts and unmounts. */
export function logged(log, ...names) {
  return Object.fromEntries(names.map((name) => [name, function Screen({ node, params, content }) {
    log.push(`render ${name}`);
    useEffect(() => {
      log.push(`mount ${name}`);
      return () => log.push(`unmount ${name}`);
    }, []);
    return h("p", {}, name, ...Object.values(params), content?.value ?? "", node.meta ?? "");
  }]));
}

export const names = ["home", "detail", "list"];
