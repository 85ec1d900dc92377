import { syncHistory } from "./cairn-client/browser-history.js";
import { CairnProblem } from "./cairn-client/index.js";
import { basket } from "./basket.js";
import { Drawing } from "./drawing.js";
import { Network } from "./network.js";
import { openSession } from "./session.js";
import { drawTesters } from "./testers.js";

/** The addresses of screens that have one: the app's links. */
const links = { restaurant: "r/{restaurantId}", dish: "r/{restaurantId}/d/{dishId}", order: "orders/{orderId}", promo: "promo/{code}" };

const find = (id) => document.getElementById(id);
const { service } = await (await fetch("service.json")).json();
const network = new Network();
network.draw(find("network"));

try {
  await run(await openSession(service, network));
} catch (error) {
  find("app").textContent = error instanceof CairnProblem ? `${error.message} (${error.code})` : String(error);
}

async function run(session) {
  const drawing = new Drawing({ app: find("app"), dialogs: find("dialogs") });
  drawing.say = speaker(session, (problem) => drawing.note(problem.detail ?? problem.message));
  const draw = () => {
    const snapshot = session.getSnapshot();
    if (snapshot.over) return over(drawing, snapshot.over);
    const { predicts, waiting } = snapshot;
    Object.assign(document.body.dataset, { predicts, waiting });
    drawing.draw(snapshot, bannerOf(snapshot));
  };
  session.subscribe(draw);
  syncHistory(session, { links, back: () => drawing.say.back(), onAddress: ({ hash }) => drawing.say.open(`eat://${hash.slice(2)}`) });
  basket.whenChanged(draw);
  drawTesters(find("testers").querySelector("div"), session, service);
  draw();
}

/** Returns functions that post, and report refusals. They resolve to the response, or to undefined after a refusal. */
function speaker(session, refused) {
  const saying = (word) => (...given) =>
    session[word](...given).catch((problem) => {
      if (problem.code !== "closed" && problem.code !== "over") refused(problem);
    });
  return Object.fromEntries(["step", "back", "select", "token", "open"].map((word) => [word, saying(word)]));
}

function bannerOf({ connection, waiting, pending }) {
  if (connection === "offline") return `No connection. ${waitingOf(waiting)} will be sent as soon as it is back.`;
  const links = pending.filter((one) => one.kind === "link").length;
  return links > 0 ? `${links === 1 ? "A link waits" : `${links} links wait`} until you are done here.` : "";
}

function waitingOf(count) {
  if (count === 0) return "What you do";
  return count === 1 ? "1 tap is waiting and" : `${count} taps are waiting and`;
}

/** Shows that the session has ended. The client has deleted its stored content, so the next page starts a new session. */
function over(drawing, reason) {
  drawing.end(`This session has ended (${reason}). Reload the page to start again.`);
}
