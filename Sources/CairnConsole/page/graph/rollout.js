// The newest rollout of an app, for operators: its results, its progress, and the operations on it.
import { appPath, call, get, Problem } from "../api.js";
import { button, fill, h, refill } from "../elements/dom.js";
import { state } from "../state.js";

/** The interval at which a rollout is read while it moves sessions, in milliseconds. */
const INTERVAL = 1000;

/** The operations that each state of a rollout allows. `MEANINGS` has the effect of each operation. */
const OPERATIONS = {
  running: ["pause", "stop", "revert"], paused: ["resume", "stop", "revert"], done: ["stop", "revert"], stopped: ["revert"], reverting: ["stop"], reverted: [],
};
const MEANINGS = {
  pause: "No further session moves until it is resumed.",
  resume: "Sessions continue to move.",
  stop: "Moved sessions keep the new definition; new sessions start on the served one.",
  revert: "Sessions that have had no entry since they moved are moved back, and the old definition is served again.",
};

/** The panel that shows and controls an app's rollout. Calls `open(id)` to show a session that a report names. */
export class RolloutPanel {
  #app = "";
  #timer = null;
  /** The operation that was clicked once. A new drawing of the figures does not reset it. */
  #asked = "";

  constructor(open) {
    this.open = open;
    this.body = h("div", { class: "rollout" });
    this.note = h("p", { role: "status", id: "rollout-note" });
    this.element = h("section", { class: "panel", "aria-label": "Rollout", hidden: true }, this.body, this.note);
  }

  /** Shows the rollout of an app. Without an operator's key, shows nothing. */
  async show(app) {
    if (app !== this.#app) {
      fill(this.note);
      this.rollout = null;
      this.#asked = "";
    }
    this.#app = app;
    this.element.hidden = !state.key;
    await this.#read();
  }

  /** Reads the rollout; repeats this each INTERVAL while sessions are being moved and the panel is visible. */
  async #read() {
    clearTimeout(this.#timer);
    if (!state.key || !this.#app) return;
    const app = this.#app;
    try {
      const { json } = await get(appPath(app, "/rollouts"), { auth: state.key });
      if (app === this.#app) this.#draw(json);
    } catch (problem) {
      if (app !== this.#app) return;
      if (problem instanceof Problem && problem.status === 404) return this.#draw(null);
      fill(this.note, h("span", { class: "bad" }, problem.message));
    }
    if (["running", "reverting"].includes(this.rollout?.state) && !this.element.closest("[hidden]")) {
      this.#timer = setTimeout(() => this.#read(), INTERVAL);
    }
  }

  #draw(rollout) {
    const isNew = JSON.stringify(rollout) !== JSON.stringify(this.rollout);
    this.rollout = rollout;
    if (!rollout) return void fill(this.body, h("h3", {}, "Rollout"), h("p", { class: "quiet" }, "This app has never had a rollout."));
    if (!isNew) return;
    const kind = { running: "waits", reverting: "waits", paused: "waits", done: "good" }[rollout.state] ?? "plain";
    refill(this.body,
      h("div", { class: "heading" }, h("h3", {}, "Rollout"), rollout.dryRun ? h("span", { class: "badge plain" }, "dry run") : null,
        h("b", { class: `badge ${kind}`, id: "rollout-state" }, rollout.state)),
      h("dl", { class: "facts" }, terms(rollout).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      this.#samples("By line of the migration", rollout.lines), this.#samples(rollout.dryRun ? "Would stay" : "Stay", rollout.stays),
      h("div", { class: "row" }, this.#operations().map((name) => this.#button(name))));
  }

  /** The possible operations. After the end of a dry run, these are the operations on the rollout before the dry run. */
  #operations() {
    const { rollout } = this;
    const isOver = rollout.dryRun && !["running", "paused"].includes(rollout.state);
    const names = OPERATIONS[isOver ? rollout.earlier?.state : rollout.state] ?? [];
    return rollout.dryRun && !isOver ? names.filter((name) => name !== "revert") : names;
  }

  /** A button that performs an operation at the second click. */
  #button(name) {
    const text = this.#asked === name ? `Confirm ${name}` : name[0].toUpperCase() + name.slice(1);
    return button(text, ({ target }) => {
      if (this.#asked === name) return void this.#change(name);
      this.#asked = name;
      target.textContent = `Confirm ${name}`;
      fill(this.note, MEANINGS[name]);
    }, { id: `rollout-${name}`, class: name === "revert" ? "danger" : null, title: MEANINGS[name] });
  }

  async #change(name) {
    const app = this.#app;
    this.#asked = "";
    try {
      const { json } = await call("POST", appPath(app, `/rollouts/${name}`), { auth: state.key });
      if (app !== this.#app) return;
      fill(this.note, `The rollout is ${json.state}.`);
      this.#draw(json);
    } catch (problem) {
      fill(this.note, h("span", { class: "bad" }, problem.message));
    }
    this.rollout = null;
    await this.#read();
  }

  /** Counts of sessions, each with a button that opens one of them. */
  #samples(title, samples) {
    if (!samples.length) return null;
    return [h("h4", {}, title), h("ul", { class: "samples" }, samples.map(({ what, count, example }) => h("li", {},
      h("b", {}, count), ` ${what} `, button("open an example", () => this.open(example), { class: "quiet", "aria-label": `Open ${example}: ${what}` }))))];
  }
}

/** The settings and the results of a rollout, as terms with their values. */
function terms(rollout) {
  const hash = (text) => h("code", { title: text }, text.slice(0, 12));
  const moved = rollout.dryRun ? "Would move" : "Moved";
  const stays = rollout.stays.reduce((sum, { count }) => sum + count, 0);
  return [
    ["From", hash(rollout.from)], ["To", hash(rollout.to)], ["Share", rollout.share], ["Running sessions", rollout.when ?? "stay"],
    ["Rate", `${rollout.rate} per second`], ["Started", `${rollout.since.slice(0, 19).replace("T", " ")}${rollout.by ? ` by ${rollout.by}` : ""}`],
    [moved, `${rollout.moved}, ${rollout.unchanged} of them unaffected by the migration`], ["Waiting", rollout.waiting],
    [rollout.dryRun ? "Would stay" : "Stay", stays], ...progressTerms(rollout), rollout.reverted ? ["Moved back", rollout.reverted] : null,
    rollout.earlier ? ["Previous rollout", [rollout.earlier.share, " to ", hash(rollout.earlier.to), `, ${rollout.earlier.state}`]] : null,
  ].filter(Boolean);
}

/** The progress of the current round, its expected end, and the node that recorded it. */
function progressTerms({ progress, state }) {
  if (!progress) return [];
  const time = (text) => text.slice(0, 19).replace("T", " ");
  return [
    ["Left to visit", `${progress.left} of ${progress.total}, ${progress.perMinute} per minute`],
    progress.expectedEnd ? ["Expected end", time(progress.expectedEnd)] : null,
    ["running", "reverting"].includes(state) ? ["Progress recorded", `${time(progress.time)} by ${progress.node}`] : null,
  ];
}
