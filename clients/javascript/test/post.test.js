import assert from "node:assert/strict";
import test from "node:test";
import { Post } from "../src/post.js";
import { watched } from "../testing/opened.js";
import { settled } from "../testing/manual-machine.js";

const steps = {
  take: (post) => post.take("client", 1),
  send: (post) => post.send(),
  divide: (post) => post.divide(),
  end: (post) => post.end({ answer: {} }),
  handOver: (post) => post.handOver(Promise.resolve({})),
};

/** Returns a post after these transitions of `steps`. With `order`, an engine has run it. */
function made(names, given = {}) {
  const post = new Post({ path: "/v1/sessions/s1/actions", body: { type: "back" }, ...given }, { now: () => 7, newKey: () => "key-1" });
  for (const name of names) steps[name](post);
  return post;
}

test("a post has one state after another", () => {
  const states = [["take", "send", "divide", "send", "end"], ["send", "end"], ["take", "handOver"]].map((names) => (
    names.map((_, index) => made(names.slice(0, index + 1)).state)));
  assert.deepEqual(states, [["numbered", "sent", "divided", "divided", "ended"], ["sent", "ended"], ["numbered", "ended"]]);
  assert.equal(made([]).state, "queued");
});

test("a step that the state does not allow throws, and changes nothing", () => {
  const wrong = [[["take"], "take"], [["send"], "take"], [[], "divide"], [["take"], "divide"], [["end"], "send"], [["end"], "end"], [["handOver"], "end"]];
  for (const [names, step] of wrong) {
    const post = made(names);
    const { state } = post;
    assert.throws(() => steps[step](post), new RegExp(`a post that is ${state} cannot become`), `${step} after ${names.join(", ") || "nothing"}`);
    assert.equal(post.state, state);
  }
});

test("a divided post keeps its number only if an engine has run it, because later posts may then refer to the number", () => {
  const [plain, predicted] = [made(["take", "send", "divide"]), made(["take", "send", "divide"], { order: 1 })];
  assert.deepEqual([plain.number, plain.isKeyed, plain.isNumberable], [undefined, true, false]);
  assert.deepEqual([predicted.number, predicted.isKeyed, predicted.isAlone], [1, false, true]);
});

test("a post with a key of its own, a condition or several actions has no number", () => {
  const given = [{}, { key: "own" }, { headers: { "If-Match": '"3"' } }, { body: [{ type: "back" }] }, { path: "/v1/sessions/s1/open" }];
  assert.deepEqual(given.map((members) => made([], members).isNumberable), [true, false, false, false, false]);
});

test("an ended post no longer listens to its caller's signal, and settles once", async () => {
  const [post, controller] = [made([]), new AbortController()];
  let aborts = 0;
  post.queue(controller.signal, () => { aborts += 1; });
  const result = watched(post.promise);
  post.end({ answer: { outcome: "performed" } });
  controller.abort();
  await settled();
  assert.deepEqual([aborts, result.state, result.value], [0, "done", { outcome: "performed" }]);
});
