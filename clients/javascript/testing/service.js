import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of the clone. */
export const root = new URL("../../../", import.meta.url).pathname;

/** The service's binary: the debug one, unless `CAIRN_TEST_BINARY` names another. */
export const binary = process.env.CAIRN_TEST_BINARY ?? join(root, ".build/debug/cairn");

/** The folder with the engine as `make engine` builds it. */
export const engineFolder = join(root, ".build/engine");

/** The settings with which a service gives its engine to clients, and lets them predict all apps. */
export const predictable = { CAIRN_ENGINE: engineFolder, CAIRN_PREDICT: "*" };

/** With the variable `CAIRN_TEST_ENGINE` every service gives its clients the engine, so that the tests of the client run over it. */
const usual = process.env.CAIRN_TEST_ENGINE ? predictable : {};

/** The operator's key of every service that a test starts. */
export const operatorKey = "an-operator-key-for-tests";

/**
 * The real service on a port of its own. `stop` ends it and deletes its data; `restart` ends it and starts it again on the same port and data; `kill`
 * ends it by SIGKILL, and a `restart` starts it again.
 */
export async function startService(environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-js-"));
  let running = await started(folder, "0", environment);
  const { url } = running;
  const stop = async () => {
    await running.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const restart = async () => {
    await running.end();
    running = await started(folder, new URL(url).port, environment);
  };
  const kill = () => running.end("SIGKILL");
  return { url, stop, restart, kill };
}

async function started(folder, port, environment) {
  const child = spawn(binary, ["serve", "--port", port, "--database", join(folder, "cairn.sqlite")], {
    cwd: root, env: { ...process.env, CAIRN_OPERATOR_KEY: operatorKey, ...usual, ...environment }, stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const end = (signal = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  return { url: await address(child, ended), end };
}

/** The address that the service says it listens on; throws what it wrote when it ends before. */
function address(child, ended) {
  return new Promise((resolve, reject) => {
    let written = "";
    const take = (bytes) => {
      written += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(written);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    ended.then(() => reject(new Error(`the service ended: ${written}`)));
  });
}

/** The revisions of a reader's events up to the given one; rejects after ten seconds with those that came. */
export async function revisionsTo(last, reader) {
  const revisions = [];
  const late = setTimeout(() => reader.return(), 10_000);
  for await (const event of reader) {
    revisions.push(event.revision);
    if (event.revision === last) break;
  }
  clearTimeout(late);
  if (revisions.at(-1) !== last) throw new Error(`no event of revision ${last} within 10 s, only of ${revisions}`);
  return revisions;
}

/** Resolves when a condition holds after one of a session's changes; rejects after ten seconds. */
export function until(session, condition) {
  let leave;
  let late;
  const reached = new Promise((resolve, reject) => {
    late = setTimeout(() => reject(new Error(`still ${JSON.stringify(session.getSnapshot())}`)), 10_000);
    const look = () => condition(session.getSnapshot()) && resolve();
    leave = session.subscribe(look);
    look();
  });
  return reached.finally(() => {
    clearTimeout(late);
    leave();
  });
}
