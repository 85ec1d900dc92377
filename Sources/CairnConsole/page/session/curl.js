// A session's history as curl commands. `$SECRET` stands for the session's secret, which the commands never contain.
import { origin, sessionPath } from "../api.js";

/**
 * Returns the commands that repeat the entries of callers. Other entries, such as those of timers, are only comments, because the service repeats them itself.
 */
export function commands(session, entries) {
  const lines = [
    `BASE=${quote(origin())}`,
    `SESSION="$BASE${sessionPath(session.id)}"    # SECRET: this session's secret; tokens and codes are placeholders`,
  ];
  // The clock at the last entry that a caller sent. Timers that fired since then fire again when a command advances the clock.
  let clock = 0;
  for (const entry of entries) {
    lines.push(`# revision ${entry.revision}: ${cause(entry)}, ${entry.outcome}`, ...command(session, entry, clock));
    if (entry.action.type !== "effect") clock = entry.action.to ?? Date.parse(entry.at);
  }
  return lines.join("\n") + "\n";
}

/** Summarises an entry in a few words. */
export function cause({ action }) {
  if (action.step) return action.step;
  if (action.type === "migrated") return `migrated from ${action.from.slice(0, 12)} to ${action.to.slice(0, 12)}`;
  if (action.type === "undone") return `undone to revision ${action.revision}${action.reason ? `: ${action.reason}` : ""}`;
  const about = action.url ?? action.category ?? action.screen ?? action.tab ?? action.flow ?? action.state ?? action.link ?? action.question
    ?? action.failed ?? "";
  if (action.type !== "effect") return `${action.type} ${about}`.trim();
  const end = ["due", "loaded", "failed", "exchanged", "abandoned"].find((name) => action[name] !== undefined);
  return `service: ${end === "due" ? "a timer" : `a request, ${end}`}`;
}

function command(session, { action }, clock) {
  switch (action.type) {
    case "create": {
      const { type, ...rest } = action;
      return [`# curl -s --json ${quote(JSON.stringify({ app: session.app, ...rest }))} "$BASE/v1/sessions"`];
    }
    case "effect": return ["# the service did this itself"];
    case "advance": return clock ? [post("/actions", { type: "advance",
      by: `${action.to - clock}ms` })] : [`# the manual clock advanced to ${new Date(action.to).toISOString()}`];
    case "open": return [post("/open", { url: action.url })];
    case "notification": return ["# the payload of a notification is not stored; the history has only: " + JSON.stringify(action)];
    case "token": return [post("/actions", { type: "token", accessToken: "a-token" })];
    case "login": return [post("/actions", { type: "login", code: "a-code", ...(action.state ? { state: action.state } : {}) })];
    case "migrated": return ["# requires an operator's key, in KEY", post("/migrate", { to: action.to }, "KEY")];
    case "undone": return ["# requires an operator's key, in KEY",
      post("/undo", { revision: action.revision, ...(action.reason ? { reason: action.reason } : {}) }, "KEY")];
    default: return [post("/actions", action)];
  }
}

function post(rest, body, credential = "SECRET") {
  return `curl -s -H "Authorization: Bearer $${credential}" --json ${quote(JSON.stringify(body))} "$SESSION${rest}"`;
}

/** Quotes a text for a shell. */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
