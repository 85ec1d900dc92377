import { h } from "./dom.js";

/** Command lines for a terminal, made for this session. */
export function testersLines(session, service) {
  const own = `${service}/v1/sessions/${session.id}`;
  const post = (path, body) => `curl -s -H 'Authorization: Bearer ${session.secret}' --json '${JSON.stringify(body)}' '${own}${path}'`;
  return [
    ["A notification is tapped", post("/notifications?state=background", { aps: { alert: "Your order is on its way", category: "order" }, data: { order_id: 7 } })],
    ["A link is opened", post("/open", { url: "eat://r/3/d/31" })],
    ["A promotion", post("/open", { url: "https://eat.example/promo/TEN" })],
    ["A phone's back button", post("/actions", { type: "back" })],
    ["The session ends", `curl -s -X DELETE -H 'Authorization: Bearer ${session.secret}' '${own}'`],
  ];
}

export function drawTesters(place, session, service) {
  place.replaceChildren(
    h("p", {}, "Paste one of these commands into a terminal, and watch this page. Or open this address in a second tab: both tabs show the same session."),
    ...testersLines(session, service).map(([title, line]) => h("figure", {}, h("figcaption", {}, title), h("pre", {}, line))));
}
