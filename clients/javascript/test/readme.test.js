import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { promisify } from "node:util";
import { startService } from "../testing/service.js";

const run = promisify(execFile);
const root = new URL("../../../", import.meta.url).pathname;

test("the quick start runs as it stands", async () => {
  const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, program] = /<!-- quick start -->\n```js\n([^]*?)```/.exec(text);
  assert.ok(program.trim().split("\n").length <= 12);
  const service = await startService();
  try {
    const { stdout } = await run("node", ["--input-type=module", "-e", program.replaceAll("http://127.0.0.1:8080", service.url)], { cwd: root });
    assert.match(stdout, /^2 restaurantList > restaurant$/m);
    assert.match(stdout, /^the link is pending$/m);
    assert.match(stdout, /screen: 'tracking'/);
  } finally {
    await service.stop();
  }
});

test("the types hold, strictly, for an app's steps and screens", async () => {
  await run("tsc", ["--project", new URL("../testing/types", import.meta.url).pathname]).catch(({ stdout, message }) => assert.fail(stdout || message));
});

test("a package of this name gives what its files do", async () => {
  const [own, named, react] = await Promise.all([import("../src/node.js"), import("cairn-client"), import("cairn-client/react-navigation")]);
  assert.deepEqual(Object.keys(own), Object.keys(named));
  assert.deepEqual(Object.keys(react), ["fromNavigationState", "gesturesBetween", "toNavigationState"]);
  assert.deepEqual(Object.keys(await import("../src/index.js")), Object.keys(own));
});
