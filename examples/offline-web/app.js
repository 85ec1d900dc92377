import { layersOf, resume, sessions, start } from "./cairn-client/index.js";

const baseURL = new URLSearchParams(location.search).get("service") ?? "http://127.0.0.1:8080";
const options = { baseURL, keep: true, remember: true };

navigator.serviceWorker?.register("worker.js");
// Otherwise the browser may delete the page and the session when its disk is nearly full.
navigator.storage?.persist?.();

const session = (await resume(options)) ?? (await start({ ...options, app: "inspections" }));
/** The actions that were waiting when an earlier session of this browser ended. */
const left = (await sessions(options)).filter(({ isOver }) => isOver).flatMap(({ groups }) => groups);

const screens = {
  jobs: ({ content: { value } }) => [1, 2, 3].map((id) => button(value.sent[id] ? `Job ${id} (sent)` : `Job ${id}`, () => session.step("jobPicked", { id }))),
  job: ({ params, content: { value } }) => [
    paragraph(`Job ${params.id}`),
    field("Report", { value: value.text }, (text) => session.step("textChanged", { text })),
    button("Send", () => session.step("reportSent")),
    button("Back", () => session.back()),
  ],
  notice: ({ params }) => [paragraph(params.text), button("Read", () => session.step("noticeRead"))],
  lock: () => [field("PIN", { type: "password" }, (pin) => session.step("pinEntered", { pin }))],
};

/** Draws the refused actions, which the client keeps until the user has decided. */
function group({ id, code, actions }) {
  const names = actions.map(({ action }) => action.step ?? action.type).join(", ");
  return element("p", {}, `${names}: ${code} `, button("Again", () => session.retry(id)), button("Discard", () => session.discard(id)));
}

let drawn;

function draw() {
  const { tree, visible, waiting, connection, over } = session.getSnapshot();
  const node = layersOf(tree).map((layer) => find(layer, visible.id)).find((found) => found !== undefined);
  document.querySelector("#status").textContent = over ? `ended (${over})` : `${connection}, ${waiting} waiting`;
  // An unchanged screen is the same object, and keeps what the user is typing.
  if (node !== drawn) document.querySelector("main").replaceChildren(...screens[node.name](node));
  drawn = node;
  document.querySelector("aside").replaceChildren(...session.groups().map(group), ...left.map(({ actions }) => paragraph(`Lost: ${actions.length} actions`)));
}

function find(node, id) {
  return node.id === id ? node : node.children?.map((child) => find(child, id)).find((found) => found !== undefined);
}

function element(name, members, ...children) {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children);
  return made;
}

function paragraph(text) {
  return element("p", {}, text);
}

/** An action that is refused is in `groups()`, and any other failure is shown. */
function report(problem) {
  document.querySelector("#status").textContent = problem.detail ?? problem.message;
}

function button(text, act) {
  return element("button", { onclick: () => act().then(draw, report) }, text);
}

function field(text, members, act) {
  return element("label", {}, text, element("input", { ...members, onchange: ({ target }) => act(target.value).catch(report) }));
}

session.subscribe(draw);
draw();
