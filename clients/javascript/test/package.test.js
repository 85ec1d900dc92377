import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { promisify } from "node:util";
import { binary } from "../testing/service.js";

const folder = new URL("../", import.meta.url);
const described = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));

test("each file that package.json names exists in the package", () => {
  const files = [described.main, described.types, ...described.sideEffects, ...Object.values(described.exports).flatMap((one) => (typeof one === "string" ? one : Object.values(one)))];
  for (const file of files) assert.ok(existsSync(new URL(file, folder)) && (file === "./package.json" || file.startsWith("./src/")), file);
});

test("the README of the package links only to its own headings, because the package has no other files of the repository", () => {
  const page = readFileSync(new URL("README.md", folder), "utf8").replaceAll(/^```[^]*?^```/gm, "");
  const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  assert.ok(targets.length > 0);
  assert.deepEqual(targets.filter((target) => !target.startsWith("#")), []);
});

test("the package has the same version as the service's binary", async () => {
  const { stdout } = await promisify(execFile)(binary, ["--version"]);
  assert.equal(stdout.split(/\s/)[0], described.version);
});
