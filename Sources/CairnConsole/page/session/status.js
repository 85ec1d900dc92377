// The panel beside the tree: the current route, facts, timers and effects, the clock.
import { button, fill, form, h, refill, shown } from "../elements/dom.js";
import { values } from "./diff.js";

/** The route stack as breadcrumbs; modals are in brackets. */
export function crumbs(session) {
  return h("ol", { class: "crumbs", "aria-label": "Route stack" }, (session.stack ?? []).map((entry) =>
    h("li", { class: entry.presented ? "presented" : null, title: `${entry.id} in flow ${entry.flow}`,
      "aria-current": entry.id === session.visible?.id ? "page" : null },
      h("small", {}, `${entry.flow} `), entry.screen, h("small", {}, values(entry.params)))));
}

/** The facts, and the state of the login. */
export function facts(session) {
  const rows = [...Object.entries(session.facts ?? {}), ["login", [session.login?.status, session.login?.reason].filter(Boolean).join(": ")]];
  return h("dl", { class: "facts" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", { class: typeof value }, shown(value))]));
}

/** The pending timers and effects, each with its remaining time. `act` is null if nothing can be posted. */
export class Pending {
  #offset = 0;
  #clocks = [];

  constructor() {
    this.element = h("div", { class: "pending" });
    setInterval(() => this.tick(), 500);
  }

  /** Computes the difference between the service's clock and this computer's from a `Date` header. */
  sync(date) {
    if (Date.parse(date)) this.#offset = Date.parse(date) - Date.now();
  }

  /** `at`: the time from which to count if the session has no manual clock, such as that of a past revision; undefined for the current time. */
  show(session, act, at) {
    this.now = Date.parse(session.now ?? at) || null;
    this.#clocks = [];
    const items = session.pending ?? [];
    refill(this.element, items.length === 0 ? h("p", { class: "quiet" }, "Nothing is pending.")
      : h("ul", {}, items.map((item) => this.#item(item, act))));
    this.tick();
  }

  #item(item, act) {
    const time = item.due ?? item.until;
    const clock = h("time", { datetime: time ?? null });
    if (time) this.#clocks.push([clock, Date.parse(time)]);
    const place = [item.node ? `on ${item.node}` : "", item.level === undefined ? "" : `level ${item.level}`];
    const before = item.action ? `before ${item.action}` : "";
    const what = [item.method ?? "", item.step ?? item.url ?? item.key ?? item.name ?? "", item.held ? held(item) : before, ...place];
    const left = this.now !== null && time ? Math.max(0, Date.parse(time) - this.now) : null;
    return h("li", {}, h("b", {}, item.kind), ` ${what.filter(Boolean).join(" ")} `, clock,
      act && item.kind === "link" ? button("Drop", () => act({ type: "cancel", link: item.link }),
        { id: `cancel-${item.link}`, "aria-label": `Drop the link ${item.url}` }) : null,
      act && item.held ? button("Drop", () => act({ type: "cancel", held: item.held }),
        { id: `cancel-${item.held}`, "aria-label": `Drop the held action ${item.held}` }) : null,
      act && item.kind === "question" ? button("End", () => act({ type: "cancel", question: item.question }),
        { id: `cancel-${item.question}`, "aria-label": `End the question of ${item.name}` }) : null,
      act && left !== null ? button(`Advance ${duration(left)}`, () => act({ type: "advance", by: `${left}ms` }),
        { id: `advance-${item.kind}-${item.node ?? item.link}-${item.step ?? ""}` }) : null);
  }

  tick() {
    const now = this.now ?? Date.now() + this.#offset;
    for (const [clock, time] of this.#clocks) {
      const left = time - now;
      fill(clock, left > 0 ? `in ${duration(left)}` : "due");
    }
  }
}

/** The text of a held action. It does not contain the name of a held step, which is shown beside it. */
function held(item) {
  return `${item.held} ${item.step === undefined ? item.action : ""} held for ${item.clients} client${item.clients === 1 ? "" : "s"}`;
}

/** A manual clock with the form that advances it, or a text for the system's clock. */
export function clock(session, act) {
  if (session.clock !== "manual") return h("p", { class: "quiet" }, "The system's clock.");
  const by = h("input", { id: "advance-by", value: "1s", size: 6, "aria-label": "Advance by", spellcheck: "false" });
  return h("div", {}, h("p", {}, "Manual clock: ", h("time", { datetime: session.now }, session.now.replace("T", " ").replace("Z", ""))),
    act ? form({ class: "row" }, () => act({ type: "advance", by: by.value }), by, h("button", {}, "Advance")) : null);
}

/** A duration in milliseconds, formatted for people. */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = Math.floor(milliseconds / 1000);
  /** @type {[number, string][]} */
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  return parts.slice(first, first + 2).map(([size, unit], index) => {
    const count = Math.floor((index === 0 ? seconds : seconds % parts[first][0]) / size);
    return count > 0 || index === 0 ? `${count} ${unit}` : "";
  }).filter(Boolean).join(" ");
}
