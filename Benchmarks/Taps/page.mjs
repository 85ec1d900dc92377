// The page in which Chromium taps (page.html). chromium.py calls the functions of `window.taps`.
import { resume, start } from "../../clients/javascript/src/index.js";
import { measure, within } from "./measure.mjs";

const [screen, button] = [document.querySelector("main"), document.querySelector("button")];

/** The time of the last change of the page. */
let changed;

/** Draws the stack of a session. */
function draw(session) {
  screen.replaceChildren(...session.stack.map((route) => {
    const section = document.createElement("section");
    section.textContent = `${route.screen} ${JSON.stringify(route.params ?? {})}`;
    return section;
  }));
  changed = performance.now();
}

/** Starts a session that is drawn at each change of its tree. */
async function drawn(options) {
  const session = await start(options);
  let { tree } = session;
  draw(session);
  session.subscribe(() => {
    if (session.tree === tree) return;
    tree = session.tree;
    draw(session);
  });
  return session;
}

/** Resolves to the time of the next frame that shows a changed page. */
function nextFrame() {
  return new Promise((then) => {
    const look = () => (changed === undefined ? requestAnimationFrame(look) : then(performance.now()));
    requestAnimationFrame(look);
  });
}

/** Resolves to the time at which the running task and the microtasks that it has queued have ended. */
function taskEnd() {
  return new Promise((then) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      then(performance.now());
    };
    channel.port2.postMessage(undefined);
  });
}

/**
 * Clicks the button. Returns the milliseconds until the page has changed, until it has also sent the request and is idle again, until the next frame, and until
 * the service has confirmed the tap.
 */
async function tapped(session, tap) {
  let answered;
  button.onclick = () => { answered = tap(); };
  changed = undefined;
  const [began, freed, frame] = [performance.now(), taskEnd(), nextFrame()];
  button.click();
  await answered;
  const times = { confirmed: performance.now(), shown: changed, free: await freed, frame: await frame };
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time - began]));
}

/** Starts a kept session at a screen above the first one. Resolves to the session's id. */
async function keep(baseURL) {
  const session = await drawn({ baseURL, app: "delivery", keep: true, remember: true });
  await within(session.step("restaurantPicked", { restaurantId: 7 }), "the answer to a tap of a kept session");
  return session.id;
}

/**
 * Opens the kept session after a reload. Returns the milliseconds since the navigation and since the page requested the session, and the number of frames in
 * between.
 */
async function reopened(baseURL) {
  let frames = 0;
  const count = () => { frames += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
  const asked = performance.now();
  const session = await within(resume({ baseURL }), "the kept session");
  draw(session);
  const [shown, framesBefore] = [performance.now(), frames];
  const frame = await within(nextFrame(), "the frame after the kept session");
  return { screen: session.visible.screen, opened: shown - asked, frames: framesBefore, sinceReload: shown, frame };
}

Object.assign(window, { taps: { measure: (given) => measure({ start: drawn, tapped }, given), keep, reopened } });
