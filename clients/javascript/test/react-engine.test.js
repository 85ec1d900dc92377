import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { settled } from "../testing/manual-machine.js";
import { act, createRoot, React, window } from "../testing/page.js";
import { predictable, startService, until } from "../testing/service.js";
import { other, predicting, put, screens, trip } from "../testing/trip.js";

const { createElement: h, useEffect } = React;
const { Screens, SessionProvider } = await import("../src/react.js");

let service;
before(async () => {
  service = await startService(predictable);
  await put(service, "trip", trip);
});
after(() => service.stop());

/** Draws a session that predicts, and logs the mounts of its screens: `{ session, network, log, text, done }`. */
async function drawn({ keepMounted = false } = {}) {
  const made = await predicting(service);
  const log = [];
  function Screen({ node: { name, params } }) {
    const title = `${name}${params?.n ?? ""}`;
    useEffect(() => {
      log.push(`mount ${title}`);
      return () => log.push(`unmount ${title}`);
    }, []);
    return h("p", {}, title);
  }
  const place = window.document.createElement("main");
  const root = createRoot(place);
  const screens = h(Screens, { of: { home: Screen, page: Screen }, keepMounted });
  await act(async () => { root.render(h(SessionProvider, { session: made.session }, screens)); });
  log.length = 0;
  const done = async () => {
    await act(async () => { root.unmount(); });
    made.session.close();
  };
  return { ...made, log, text: () => [...place.querySelectorAll("p")].map(({ textContent }) => textContent).join(" "), done };
}

const shows = (session, text) => until(session, (snapshot) => screens(snapshot) === text && snapshot.waiting === 0);

for (const keepMounted of [false, true]) {
  test(`a confirmed prediction is mounted once, even if its id changes${keepMounted ? ", with keepMounted" : ""}`, async () => {
    const { session, network, log, text, done } = await drawn({ keepMounted });
    const two = await other(service, session);
    network.hold();
    let tap;
    await act(async () => { tap = session.act({ step: "show", params: { n: 1 } }); });
    assert.match(text(), /page1$/);
    const predicted = session.visible.id;
    const before = log.length;
    assert.deepEqual(log.filter((line) => line.includes("page1")), ["mount page1"]);
    await act(async () => {
      await two.step("show", { n: 2 });
      await until(session, (snapshot) => screens(snapshot) === "home page1 page2");
      network.release();
      await tap;
      await shows(session, "home page1 page2");
      await settled();
    });
    assert.notEqual(session.stack.at(-2).id, predicted, "the id of the node changes");
    // The other client's page covers the page of the tap.
    const covered = keepMounted ? [] : ["unmount page1"];
    assert.deepEqual(log.slice(before).filter((line) => line.includes("page1")), covered, "its view is not mounted again");
    await done();
    two.close();
  });
}

test("a refused prediction is unmounted, and the confirmed screen is shown", async () => {
  const { session, network, log, text, done } = await drawn();
  const two = await other(service, session);
  await act(async () => { await session.step("show", { n: 1 }); await shows(session, "home page1"); });
  log.length = 0;
  network.hold();
  let tap;
  await act(async () => { tap = session.step("show", { n: 2 }); tap.catch(() => {}); });
  assert.equal(text(), "page2");
  await act(async () => {
    await two.back({ from: null });
    await until(session, ({ revision }) => revision === 3);
    network.release();
    await assert.rejects(tap, { code: "dismissed" }, "a shown action that is undone is rejected");
    await shows(session, "home");
    await settled();
  });
  assert.equal(text(), "home");
  assert.deepEqual(log.filter((line) => line.includes("page2")), ["mount page2", "unmount page2"]);
  await done();
  two.close();
});
