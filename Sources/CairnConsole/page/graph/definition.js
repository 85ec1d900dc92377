// An app's definition: its graph with the session's position highlighted, the report of `cairn check`, its links.
import { appOf, appPath, get, postSession } from "../api.js";
import { button, choice, field, fill, fillChoice, form, h, refill, table } from "../elements/dom.js";
import { nodes } from "../session/diff.js";
import { Graph } from "./graph.js";
import { Outcomes, taken } from "../session/outcome.js";
import { copy } from "../elements/paper.js";
import { RolloutPanel } from "./rollout.js";
import { state } from "../state.js";

/** `chosen(app)` is called when the user selects another app, `open(id)` to show a session. */
export class Definitions {
  #shown = "";

  constructor(element, chosen, open) {
    this.app = choice("definition-app", [], { "aria-label": "App", onchange: () => chosen(this.app.value) });
    this.title = h("h2", {}, "Definition ");
    this.sources = h("span", { class: "row" });
    this.graph = new Graph();
    this.problems = h("section", { class: "panel", "aria-label": "Check" });
    this.links = h("section", { class: "panel", "aria-label": "Links" });
    this.outcomes = new Outcomes();
    this.rollout = new RolloutPanel(open);
    fill(element, h("div", { class: "heading" }, this.title, this.app, this.sources), this.graph.element,
      h("div", { class: "columns" }, h("div", {}, this.links, this.outcomes.element), h("div", {}, this.rollout.element, this.problems)));
  }

  apps(names) {
    fillChoice(this.app, names);
  }

  /** Shows an app. If the shown session is one of the app, its version of the definition is shown, even if the service now serves another one. */
  async show(name) {
    const app = name ?? this.app.value;
    if (!app) return;
    this.app.value = app;
    this.rollout.show(app);
    try {
      const now = (await appOf(app)).definition;
      // Another app may have been selected since.
      if (this.app.value !== app) return;
      const own = state.session?.app === app ? state.session.definition : now;
      const shown = `${own} ${state.id}`;
      if (this.#shown !== shown) {
        this.#shown = shown;
        this.outcomes.clear();
        fill(this.title, "Definition ", own === now ? null : h("small", {}, "the session's own version; a different one is served now"));
        const isWanted = () => this.#shown === shown;
        await Promise.all([this.#graph(app, own, isWanted), this.#check(app, own, isWanted), this.#links(app, own, isWanted)]);
      }
      this.light();
    } catch (problem) {
      this.graph.fail(problem.message);
    }
  }

  /** Highlights the session's screens and flows in the graph, and emphasizes the visible screen. */
  light() {
    const isOf = state.session && state.session.app === this.app.value;
    const names = isOf ? [...nodes(state.session.tree)].map(({ node }) => node) : [];
    this.graph.light(names, isOf ? state.session.visible : null);
  }

  async #graph(app, definition, isWanted) {
    try {
      const { json } = await get(appPath(app, "/graph", definition));
      if (!isWanted()) return;
      this.graph.draw(json);
      fill(this.sources, ["mermaid", "dot", "json"].map((format) => button(format, async () => {
        const { json } = await get(appPath(app, "/graph", definition, { format }), { headers: { Accept: "*/*" } });
        copy(`graph as ${format}`, typeof json === "string" ? json : JSON.stringify(json, null, 1));
      }, { class: "quiet" })));
    } catch (problem) {
      if (isWanted()) this.graph.fail(problem.message);
    }
  }

  async #check(app, definition, isWanted) {
    try {
      const { json } = await get(appPath(app, "/check", definition));
      if (!isWanted()) return;
      const found = [...(json.problems ?? []).map((each) => ["problem", each]), ...(json.warnings ?? []).map((each) => ["warning", each])];
      fill(this.problems, h("h3", {}, "Check"), found.length === 0 ? h("p", { class: "quiet" }, "No errors and no warnings.")
        : h("ul", {}, found.map(([kind, { message, file, line, column }]) => h("li", {},
          h("b", { class: kind === "problem" ? "badge bad" : "badge waits" }, kind), " ",
          line ? h("code", {}, `${file ? `${file}:` : ""}${line}${column ? `:${column}` : ""}`) : null, ` ${message}`))));
    } catch (problem) {
      if (isWanted()) fill(this.problems, h("h3", {}, "Check"), h("p", { class: "bad" }, problem.message));
    }
  }

  async #links(app, definition, isWanted) {
    const links = (await get(appPath(app, "/links", definition)).catch(() => null))?.json.links ?? [];
    if (!isWanted()) return;
    const url = h("input", { id: "try-url", autocomplete: "off", spellcheck: "false", inputmode: "url", placeholder: "https://…", required: true });
    const said = h("div", { role: "status", id: "try-said" });
    const rows = h("tbody", {}, links.map((each) => this.#row(each)));
    const tryIt = async () => {
      try {
        const { json } = await get(appPath(app, "/links", definition, { url: url.value }));
        for (const row of rows.children) row.classList.toggle("lit", row.getAttribute("data-link") === String(json.link?.index));
        const none = h("p", { class: "bad" }, json.refusal?.detail ?? "No link matches this URL.");
        fill(said, json.oauth ? h("p", {}, "This is the OAuth redirect; it completes the login.") : taken(json.link) ?? none,
          (json.refusal?.errors ?? []).map((error) => h("p", {}, error.detail)));
      } catch (problem) {
        fill(said, h("p", { class: "bad" }, problem.message));
      }
    };
    const isOfSession = state.session?.app === app;
    refill(this.links, h("h3", {}, "Links"), form({ class: "row wide", "aria-label": "Try a URL" }, tryIt, field("URL", url),
      h("span", { class: "sends" }, h("button", { id: "try" }, "Find the link"),
        isOfSession ? button("Plan in the session", () => url.reportValidity() && this.#plan(url.value), { id: "try-plan" }) : null)), said,
      links.length === 0 ? h("p", { class: "quiet" }, "This app has no links.")
        : table("Table of links", ["#", "Path", "Scheme, host", "Query", "Becomes", ""], rows));
  }

  #row(link) {
    const became = [link.step, link.broadcast, ...(link.steps ?? [])].filter(Boolean).join(", ");
    const notes = [link.broadcast ? "broadcast" : "", link.guarded ? "guarded" : ""].filter(Boolean).join(", ");
    const cells = [link.index, h("code", {}, link.path), [...(link.schemes ?? []), ...(link.hosts ?? [])].join(", "), (link.query ?? []).join(", "), became,
      notes];
    return h("tr", { "data-link": link.index }, cells.map((cell) => h("td", {}, cell)));
  }

  /** Shows how the session would handle a link, using a plan. */
  async #plan(url) {
    try {
      this.outcomes.tell(`open ${url}`, (await postSession(state.id, "/open?plan", { url })).json);
    } catch (problem) {
      this.outcomes.tell(`open ${url}`, problem);
    }
  }
}
