// The responses of the service, newest first, announced to screen readers as they arrive.
import { Problem } from "../api.js";
import { button, h, shown } from "../elements/dom.js";
import { values } from "./diff.js";

/** The responses to what this page has posted. */
export class Outcomes {
  constructor() {
    this.list = h("ol", { class: "outcomes", reversed: true });
    this.element = h("section", { class: "panel answers", "aria-label": "Answers" },
      h("div", { class: "heading" }, h("h3", {}, "Answers"), button("Clear", () => this.clear())),
      h("div", { role: "log", "aria-live": "polite", "aria-label": "Answers, newest first" }, this.list));
  }

  clear() {
    this.list.replaceChildren();
  }

  /** Adds a response to the list. `what`: a short description of the request; `answer`: the body of the response, or the error. */
  tell(what, answer) {
    this.list.prepend(h("li", {}, answer instanceof Error ? refused(what, answer) : answered(what, answer)));
    while (this.list.children.length > 20) this.list.lastChild.remove();
    this.element.scrollTop = 0;
  }
}

function head(what, outcome, kind, note = "") {
  return h("p", {}, h("b", { class: `badge ${kind}` }, outcome), " ", what, note ? h("small", {}, ` ${note}`) : null);
}

function answered(what, answer) {
  const isPlan = answer.plan === true;
  const parts = answer.answers ?? [answer];
  const last = parts[parts.length - 1];
  const kind = last.outcome === "performed" ? "good" : last.outcome === "pending" ? "waits" : "plain";
  return [
    head(what, (isPlan ? "would be " : "") + (last.outcome ?? "done") + (last.reason ? `: ${last.reason}` : ""), kind,
      isPlan ? "nothing was changed" : answer.revision === undefined ? "" : `revision ${answer.revision}`),
    taken(answer.link),
    parts.map((part) => [events(part.events), changes(part.changes)]),
    isPlan && answer.visible ? h("p", {}, "Visible afterwards: ", h("b", {}, answer.visible.screen), values(answer.visible.params)) : null,
  ];
}

function refused(what, problem) {
  const body = problem instanceof Problem ? problem.body : { detail: `no response: ${problem.message}` };
  return [
    head(what, body.code ?? "no response", "bad", problem.status ? `${problem.status}` : ""),
    h("p", {}, body.detail ?? body.title ?? ""),
    body.errors ? h("ul", {}, body.errors.map((error) => h("li", {}, h("code", {}, error.pointer ?? error.parameter ?? place(error)),
      ` ${error.detail}`))) : null,
    taken(body.link),
    body.accepts ? h("p", { class: "quiet" }, "Accepted now: ",
      [...(body.accepts.steps ?? []).map((step) => step.step), ...(body.accepts.primitives ?? [])].join(", ")) : null,
  ];
}

function place(error) {
  return error.line ? `line ${error.line}` : "";
}

/** Shows which link accepted a URL. Shows nothing if `link` is the id of a held link, because the events contain it. */
export function taken(link) {
  if (typeof link !== "object" || link === null) return null;
  const became = link.step ?? link.broadcast ?? link.steps ?? "";
  return h("p", {}, "Matches link ", h("code", {}, link.path), became ? [" as ", h("code", {}, shown(became))] : null, " ", values(link.values),
    link.held ? ` It would be held, as ${link.held}.` : "");
}

/** The events of a response as a list. */
export function events(list) {
  if (!list?.length) return null;
  return h("ul", { class: "events" }, list.map(({ type, flow, node, step, params, ...rest }) => h("li", {}, h("i", {}, type),
    ` ${[flow, step ? step + values(params) : "", ...Object.values(rest).map(shown)].filter(Boolean).join(" · ")}`)));
}

/** The changes of a response (docs/changes.md), described in words. */
export function changes(list) {
  if (!list?.length) return null;
  return h("ul", { class: "changes" }, list.map((change) => h("li", {}, h("code", {}, change.op), ` ${inWords(change)}`)));
}

function inWords(change) {
  const name = (node) => (typeof node === "object" ? `${node.name}${values(node.params)} ${node.id}` : node);
  const parts = [change.node === undefined ? "" : name(change.node), change.in ? `in ${change.in}` : "", change.on ? `on ${change.on}` : "",
    change.at ? `replaces ${change.at}` : "", change.to ? `down to ${change.to}` : "", change.index === undefined ? "" : `child ${change.index}`,
    change.level === undefined ? "" : `level ${change.level}`, change.kind ?? "", change.children ? change.children.map(name).join(", ") : "",
    change.params ? values(change.params) : "", change.facts ? `facts ${shown(change.facts)}` : "", change.content ? shown(change.content) : ""];
  return parts.filter(Boolean).join(" ");
}
