import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root folder of the repository. */
export const root = new URL("../../../", import.meta.url).pathname;

/** The service's binary: that of the debug build, unless `CAIRN_TEST_BINARY` names another binary. */
export const binary = process.env.CAIRN_TEST_BINARY ?? join(root, ".build/debug/cairn");

/** The folder of the engine that `make engine` builds. */
export const engineFolder = join(root, ".build/engine");

/** The settings with which a service provides its engine to clients, for the predictions of all apps. */
export const predictable = { CAIRN_ENGINE: engineFolder, CAIRN_PREDICT: "*" };

/** If the variable `CAIRN_TEST_ENGINE` is set, every service provides its engine, so that the client's tests run with it. */
const usual = process.env.CAIRN_TEST_ENGINE ? predictable : {};

/** The operator's key of every service that a test starts. */
export const operatorKey = "an-operator-key-for-tests";

/**
 * Starts the real service on an unused port. `stop` ends the service and deletes its data. `restart` ends it, and starts it again on the same port with the
 * same data. `kill` ends it with SIGKILL; `restart` then starts it again.
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

/** Resolves to the URL that the service prints; rejects with the service's output if the service ends before that. */
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

/** Resolves to the revisions of a reader's events up to `last`; rejects after ten seconds with those that have arrived. */
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

/** Resolves when a condition is true, now or after a change of the session; rejects after ten seconds. The promise of a post may resolve later. */
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
