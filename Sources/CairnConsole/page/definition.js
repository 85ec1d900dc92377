// An app's definition: its graph with the place of the session lit, what check says, its links.
import { appOf, get, postSession } from "./api.js"
import { button, choice, field, fill, form, h, refill } from "./dom.js"
import { nodes } from "./diff.js"
import { Graph } from "./graph.js"
import { Outcomes, taken } from "./outcome.js"
import { state } from "./state.js"

/** `chosen(app)`: another app is to be looked at. */
export class Definitions {
  #shown = ""

  constructor(element, chosen) {
    this.app = choice("definition-app", [], { "aria-label": "App", onchange: () => chosen(this.app.value) })
    this.title = h("h2", {}, "Definition ")
    this.sources = h("span", { class: "row" })
    this.graph = new Graph()
    this.problems = h("section", { class: "panel", "aria-label": "Check" })
    this.links = h("section", { class: "panel", "aria-label": "Links" })
    this.outcomes = new Outcomes()
    fill(element, h("div", { class: "heading" }, this.title, this.app, this.sources), this.graph.element,
      h("div", { class: "columns" }, h("div", {}, this.links, this.outcomes.element), h("div", {}, this.problems)))
  }

  apps(names) {
    fill(this.app, names.map((name) => h("option", { value: name }, name)))
  }

  async show(name) {
    const app = name ?? this.app.value
    if (!app) return
    this.app.value = app
    // A session stays on the definition it was started with: where that is another one than is served now, that is what is drawn.
    const own = state.session?.app === app ? state.session.definition : ""
    if (this.#shown !== `${app} ${own}`) {
      this.#shown = `${app} ${own}`
      const path = `/v1/apps/${encodeURIComponent(app)}`
      const version = own ? `definition=${own}` : ""
      await Promise.all([this.#read(this.graph, path, version), this.#check(path), this.#links(app, path)])
    }
    this.light()
  }

  /** Where the session is: its screens and flows, what is visible above all. */
  light() {
    const isOf = state.session && state.session.app === this.app.value
    const names = isOf ? [...nodes(state.session.tree)].map(({ node }) => node) : []
    this.graph.light(names, isOf ? state.session.visible : null)
  }

  async #read(graph, path, version) {
    try {
      const current = (await get(path)).json.definition
      const query = version && !version.endsWith(current) ? `?${version}` : ""
      graph.draw((await get(`${path}/graph${query}`)).json)
      fill(this.sources, ["mermaid", "dot", "json"].map((format) => button(format, async () => {
        const { copy } = await import("./paper.js")
        const { json } = await get(`${path}/graph?format=${format}`, { headers: { Accept: "*/*" } })
        copy(`graph as ${format}`, typeof json === "string" ? json : JSON.stringify(json, null, 1))
      }, { class: "quiet" })))
    } catch (problem) {
      graph.fail(problem.message)
    }
  }

  async #check(path) {
    try {
      const { json } = await get(`${path}/check`)
      const found = [...(json.problems ?? []).map((each) => ["problem", each]), ...(json.warnings ?? []).map((each) => ["warning", each])]
      fill(this.problems, h("h3", {}, "Check"), found.length === 0 ? h("p", { class: "quiet" }, "No problem, and nothing doubtful.")
        : h("ul", {}, found.map(([kind, { message, line, column }]) => h("li", {}, h("b", { class: kind === "problem" ? "badge bad" : "badge waits" }, kind), " ",
          line ? h("code", {}, `${line}${column ? `:${column}` : ""}`) : null, ` ${message}`))))
    } catch (problem) {
      fill(this.problems, h("h3", {}, "Check"), h("p", { class: "bad" }, problem.message))
    }
  }

  async #links(name, path) {
    const app = await appOf(name).catch(() => null)
    const url = h("input", { id: "try-url", autocomplete: "off", spellcheck: "false", inputmode: "url", placeholder: "https://…", required: true })
    const said = h("div", { role: "status", id: "try-said" })
    const rows = h("tbody", {}, (app?.links ?? []).map((each, index) => h("tr", { "data-link": index }, h("td", {}, index), h("td", {}, h("code", {}, each.path)),
      h("td", {}, [...(each.schemes ?? []), ...(each.hosts ?? [])].join(", ")), h("td", {}, (each.query ?? []).join(", ")),
      h("td", {}, each.steps.join(", ")), h("td", {}, [each.broadcast ? "broadcast" : "", each.guarded ? "guarded" : ""].filter(Boolean).join(", ")))))
    const tryIt = async () => {
      try {
        const { json } = await get(`${path}/links?url=${encodeURIComponent(url.value)}`)
        for (const row of rows.children) row.classList.toggle("lit", row.dataset.link === String(json.link?.index))
        fill(said, json.oauth ? h("p", {}, "The OAuth redirect: it goes to the login.") : taken(json.link) ?? h("p", { class: "bad" }, json.refusal?.detail ?? "No link takes this URL."),
          (json.refusal?.errors ?? []).map((error) => h("p", {}, error.detail)))
      } catch (problem) {
        fill(said, h("p", { class: "bad" }, problem.message))
      }
    }
    const plan = async () => {
      try {
        this.outcomes.tell(`open ${url.value}`, (await postSession(state.id, "/open?plan", { url: url.value })).json)
      } catch (problem) {
        this.outcomes.tell(`open ${url.value}`, problem)
      }
    }
    refill(this.links, h("h3", {}, "Links"), form({ class: "row wide", "aria-label": "Try a URL" }, tryIt, field("URL", url), h("span", { class: "sends" }, h("button", { id: "try" }, "Which link takes it?"),
      state.session?.app === name ? button("What would it do?", () => url.reportValidity() && plan(), { id: "try-plan" }) : null)), said,
      (app?.links ?? []).length === 0 ? h("p", { class: "quiet" }, "This app has no links.") : h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table of links" }, h("table", {},
        h("thead", {}, h("tr", {}, ["#", "Path", "Scheme, host", "Query", "Becomes", ""].map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "Notes"))))), rows)))
  }
}
