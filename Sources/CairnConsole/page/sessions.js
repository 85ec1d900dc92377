// Sessions: who asks, one opened, one started, all listed (an operator's), one ended.
import { call, get, Problem, sessionPath } from "./api.js"
import { button, choice, field, fill, form, h, refill, table } from "./dom.js"
import { Starting } from "./starting.js"
import { changed, credential, state } from "./state.js"

/** `open(id)` goes to a session. */
export class Sessions {
  #next = null

  constructor(element, open) {
    this.open = open
    this.key = h("input", { id: "key", type: "password", autocomplete: "off", spellcheck: "false" })
    this.id = h("input", { id: "session-id", autocomplete: "off", spellcheck: "false", required: true, placeholder: "s…" })
    this.secret = h("input", { id: "session-secret", type: "password", autocomplete: "off", placeholder: "cs_…" })
    this.app = choice("filter-app", [["", "all apps"]])
    this.label = h("input", { id: "filter-label", autocomplete: "off" })
    this.rows = h("tbody")
    this.more = h("div", { class: "row" })
    this.note = h("p", { role: "status", id: "sessions-note" })
    this.starting = new Starting((session) => { this.own(session); this.open(session.id) })
    fill(element, this.#intro(), h("div", { class: "columns" }, h("div", {}, this.starting.element), h("div", {}, this.#opening(), this.#operator())), this.#list())
  }

  #intro() {
    return h("p", { class: "intro" }, "Start a session below; to open one that exists, type its id and its secret. ",
      "An operator's key opens all of them. What you type stays in this page's memory: it is in no address, and gone when you close the page.")
  }

  #opening() {
    return form({ class: "panel", "aria-label": "Open a session" }, () => {
      const [id, secret] = [this.id.value.trim(), this.secret.value.trim()]
      if (secret) state.secrets.set(id, secret)
      this.secret.value = ""
      this.open(id)
    }, h("h3", {}, "Open a session"), field("Session's id", this.id), field("Its secret", this.secret, "or the operator's key below"),
      h("button", { id: "open-session" }, "Open"))
  }

  #operator() {
    return form({ class: "panel", "aria-label": "Operator" }, () => {
      state.key = this.key.value.trim()
      this.key.value = ""
      changed("key")
      this.list()
    }, h("h3", {}, "Operator"), field("Operator's key", this.key), h("div", { class: "row" }, h("button", { id: "use-key" }, "Use it"),
      button("Forget it", () => { state.key = ""; changed("key"); this.list() }, { class: "quiet" })))
  }

  #list() {
    const filter = form({ class: "row wide", "aria-label": "Filter" }, () => this.list(),
      field("App", this.app), field("Label", this.label, "exact"), h("button", { id: "list" }, "List"))
    const heads = ["Session", "App", "Label", "Visible", "Revision", "Changed (UTC)", ""]
    return h("section", { class: "panel", "aria-label": "All sessions" }, h("h3", {}, "Sessions"), filter, this.note,
      table("Table of sessions", heads, this.rows), this.more)
  }

  /** What apps there are. */
  apps(names) {
    refill(this.app.parentElement, h("span", {}, "App"), fillChoice(this.app, [["", "all apps"], ...names]))
    this.starting.apps(names)
  }

  /** A session that was started here: its secret is known. */
  own(session) {
    if (session.secret) state.secrets.set(session.id, session.secret)
    if (session.opened) state.opened.set(session.id, session.opened)
    this.mine = [session, ...(this.mine ?? []).filter((each) => each.id !== session.id)]
  }

  /** The first page; without a key, those that were started here. */
  async list() {
    fill(this.rows)
    if (!state.key) {
      fill(this.rows, this.#shown(this.mine ?? []).map((session) => this.#row(session)))
      const note = this.mine?.length ? "Those that were started in this page; an operator's key shows all."
        : "An operator's key lists all of them; without one, those that are started here stand here."
      return fill(this.more, h("span", { class: "quiet" }, note))
    }
    const query = new URLSearchParams({ limit: "50" })
    if (this.app.value) query.set("app", this.app.value)
    if (this.label.value) query.set("label", this.label.value)
    await this.#page(`/v1/sessions?${query}`)
  }

  #shown(sessions) {
    return sessions.filter((each) => (!this.app.value || each.app === this.app.value) && (!this.label.value || each.label === this.label.value))
  }

  async #page(path) {
    try {
      const { json } = await get(path, { auth: state.key })
      this.rows.append(...json.sessions.map((session) => this.#row(session)))
      fill(this.note)
      fill(this.more, json.next ? button("More", () => this.#page(json.next)) : h("span", { class: "quiet" }, `${this.rows.children.length} in all`),
        json.damaged ? ` ${json.damaged.length} damaged: ${json.damaged.join(", ")}` : null)
    } catch (problem) {
      fill(this.more)
      // Whoever gave a key wants to know that it is not the one.
      fill(this.note, problem.status === 401 && state.key ? `this is no operator's key here: ${problem.message}` : problem.message)
    }
  }

  #row(session) {
    const time = h("time", { datetime: session.updatedAt }, (session.updatedAt ?? "").slice(0, 19).replace("T", " "))
    const end = button("End", () => this.#end(session, row), { "aria-label": `End ${session.id}`, class: "quiet" })
    const link = h("a", { href: `#s=${session.id}` }, session.id)
    const cells = [link, session.app, session.label ?? "", session.visible?.screen ?? "", session.revision, time, end]
    const row = h("tr", {}, cells.map((cell) => h("td", {}, cell)))
    return row
  }

  /** Asks again before: nothing of it is left. */
  #end(session, row) {
    const cell = row.lastChild
    const sure = button("Really end it", async () => {
      try {
        await call("DELETE", sessionPath(session.id), { auth: credential(session.id) })
        this.ended(session.id)
        row.remove()
        fill(this.note, `${session.id} is ended.`)
      } catch (fault) {
        fill(this.note, fault instanceof Problem ? fault.message : "no answer from the service")
      }
    }, { class: "danger" })
    fill(cell, sure)
    sure.focus()
  }

  /** Nothing of a session is left. */
  ended(id) {
    state.secrets.delete(id)
    this.mine = (this.mine ?? []).filter((each) => each.id !== id)
  }
}

function fillChoice(select, entries) {
  const value = select.value
  fill(select, entries.map((entry) => (Array.isArray(entry) ? h("option", { value: entry[0] }, entry[1]) : h("option", { value: entry }, entry))))
  select.value = value
  return select
}
