import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { root, startService } from "../testing/service.js";

const run = promisify(execFile);

test("the quick start of the README has at most 12 lines, and runs unchanged", async () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, program] = /<!-- quick start -->\n```js\n([^]*?)```/.exec(page);
  assert.ok(program.trim().split("\n").length <= 12);
  const service = await startService();
  try {
    const { stdout } = await run("node", ["--input-type=module", "-e", program.replaceAll("http://127.0.0.1:8080", service.url)], { cwd: new URL("../", import.meta.url) });
    assert.match(stdout, /^2 restaurantList > restaurant$/m);
    assert.match(stdout, /^the link is pending$/m);
    assert.match(stdout, /screen: 'tracking'/);
  } finally {
    await service.stop();
  }
});

test("the type declarations compile in strict mode with the output of cairn types", async () => {
  const types = new URL("../testing/types/", import.meta.url).pathname;
  const folder = mkdtempSync(join(tmpdir(), "cairn-js-types-"));
  try {
    // The output of the command for delivery, which another test compares with this file.
    copyFileSync(join(root, "Tests/CairnDerivedTests/Golden/delivery.ts.txt"), join(folder, "delivery-types.ts"));
    const whole = JSON.parse(readFileSync(join(types, "tsconfig.json"), "utf8"));
    const { paths } = whole.compilerOptions;
    Object.assign(whole, { files: whole.files.map((file) => join(types, file)) });
    Object.assign(whole.compilerOptions, { baseUrl: types, paths: { ...paths, "delivery-types": [join(folder, "delivery-types.ts")] } });
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(whole));
    await run("tsc", ["--project", folder]).catch(({ stdout, message }) => assert.fail(stdout || message));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the package and its subpaths export the same names as their source files", async () => {
  const [own, named, react] = await Promise.all([import("../src/node.js"), import("cairn-client"), import("cairn-client/react-navigation")]);
  assert.deepEqual(Object.keys(own), Object.keys(named));
  assert.deepEqual(Object.keys(react), ["followNavigation", "fromNavigationState", "gesturesBetween", "navigationActionBetween", "toNavigationState"]);
  assert.deepEqual(Object.keys(await import("cairn-client/browser-history")), ["syncHistory"]);
  assert.deepEqual(Object.keys(await import("cairn-client/testing")), ["ScenarioDifference", "runOffline", "sketch"]);
  assert.deepEqual(Object.keys(await import("../src/index.js")), Object.keys(own));
});
