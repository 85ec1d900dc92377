// Assembles the page: the open view, the parameters in the URL's fragment, keyboard shortcuts. A URL never contains a credential.
import { get } from "./api.js";
import { Definitions } from "./graph/definition.js";
import { button, fill, h, refill } from "./elements/dom.js";
import { Keys } from "./elements/help.js";
import { SessionView } from "./session/session.js";
import { Sessions } from "./sessions/sessions.js";
import { credential, on, state } from "./state.js";

const place = (id) => document.getElementById(id);
const live = place("live");

const sessions = new Sessions(place("sessions"), (id) => go({ s: id }));
const session = new SessionView(place("session"), tell, gone);
const definitions = new Definitions(place("definition"), (app) => go({ s: state.id, a: app, v: "definition" }), (id) => go({ s: id }));

/** The parameters in the URL's fragment: `s` a session, `a` an app, `v` the view. */
function address() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function go(to) {
  const given = Object.entries(to).filter(([, value]) => value);
  const hash = `#${new URLSearchParams(given)}`;
  if (hash === (location.hash || "#")) route();
  else location.hash = hash;
}

async function route() {
  const { s: id = "", a: app, v } = address();
  const isMissing = id !== "" && !credential(id);
  const view = isMissing ? "sessions" : ["sessions", "definition"].includes(v) ? v : id ? "session" : "sessions";
  show(view);
  const links = [["sessions", "Sessions", id ? `#s=${id}&v=sessions` : "#"], id ? ["session", "Session", `#s=${id}`] : null,
    ["definition", "Definition", `#${new URLSearchParams({ ...(id ? { s: id } : {}), ...(app ? { a: app } : {}), v: "definition" })}`]];
  refill(place("views"), links.filter(Boolean).map(([name, text, href]) => h("a",
    { id: `view-${name}`, href, "aria-current": name === view ? "page" : null }, text)));
  document.title = [id, "Cairn console"].filter(Boolean).join(" · ");
  if (isMissing) {
    sessions.id.value = id;
    sessions.isShown = true;
    tell("over", "enter the session's secret or an operator's key");
    return readApps();
  }
  if (id !== state.id) {
    tell("", "");
    await session.open(id);
  }
  sessions.isShown = view === "sessions";
  if (view === "session") return;
  await readAgain();
}

/** Shows one view. If the focus was in another one, as on the button that started a session, it moves to the shown view instead of being lost. */
function show(view) {
  const left = ["sessions", "session", "definition"].filter((each) => each !== view).map(place);
  const isFocused = left.some((each) => each.contains(document.activeElement));
  place(view).hidden = false;
  for (const each of left) each.hidden = true;
  if (isFocused) place(view).focus({ preventScroll: true });
}

/** Reads the apps and the shown definition again, which may have changed while another view or window was open. */
async function readAgain() {
  await readApps();
  if (!place("definition").hidden) definitions.show(address().a ?? state.session?.app);
}

/** Whether the note of the sessions' view reports that the service did not respond. */
let isSilent = false;

/** Reads the served apps, which can change while the service runs. */
async function readApps() {
  try {
    const names = (await get("/v1/apps")).json.apps.map(({ app }) => app);
    sessions.apps(names);
    definitions.apps(names);
    if (isSilent) fill(sessions.note);
    isSilent = false;
  } catch (problem) {
    isSilent = true;
    fill(sessions.note, `The service does not respond: ${problem.message}`);
  }
}

/** Shows whether the session is followed live. */
function tell(how, text) {
  live.dataset.how = how;
  const words = { live: "Live", waiting: "Not live", over: "Not live" }[how] ?? "";
  fill(live, how ? h("span", { class: "light", "aria-hidden": "true" }) : null, [words, text].filter(Boolean).join(": "),
    how === "over" && state.session ? button("Refresh", () => session.read()) : null);
}

/** Closes a session that was deleted, or that the caller must not read. */
function gone(id, text) {
  sessions.ended(id);
  state.key || state.secrets.delete(id);
  fill(sessions.note, text);
  session.open("");
  go({});
  tell("", "");
}

on("key", () => { if (address().s && state.id !== address().s) route(); });
on("session", () => { if (!place("definition").hidden) definitions.light(); });
window.addEventListener("hashchange", route);
new Keys([
  ["s", "shows the sessions", () => go({ s: state.id, v: state.id && "sessions" })],
  ["d", "shows the definition", () => go({ s: state.id, v: "definition" })],
  ["t", "shows the session's tree", () => go({ s: state.id })],
  ["b", "goes back, like a phone's back button", () => state.session && !state.past && session.acts.act({ type: "back" })],
  ["r", "reloads the session", () => state.id && session.read()],
  ["n", "shows notifications", () => session.tabs.select("bench", true)],
  ["h", "shows the history", () => session.tabs.select("history", true)],
  ["a", "shows the accepted actions", () => session.tabs.select("act", true)],
]);

window.addEventListener("focus", () => { if (place("session").hidden) readAgain(); });
route();
