import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, operatorKey, root } from "./service.js";

const program = `
import json, pathlib, random, sys
sys.path.insert(0, "Benchmarks")
from bars import oddapps
folder, seed, count, binary = sys.argv[1:]
names = oddapps.write(pathlib.Path(folder), random.Random(int(seed)), int(count), binary)
chance = random.Random(int(seed) + 1)
releases = {name: vars(oddapps.Release(json.loads(pathlib.Path(folder, f"{name}.yaml").read_text()), chance)) for name in names}
print(json.dumps({"names": names, "releases": releases}))
`;

/**
 * Writes the unusual definitions of Benchmarks/drive to a new folder: `{ folder, names, releases }`. `releases` has the second version of each definition,
 * with the migrations in both directions: `{ definition, forward, backward }`.
 */
export function writeOddApps(seed, count) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-js-apps-"));
  const text = execFileSync("python3", ["-c", program, folder, String(seed), String(count), binary], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return { folder, ...JSON.parse(text) };
}

/** Stores the second version of an app and the migrations. Returns the hashes of both versions; undefined if the service refuses the second one. */
export async function publish(url, app, { definition, forward, backward }) {
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method, headers: { Authorization: `Bearer ${operatorKey}`, "Content-Type": "application/json" }, body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok && response.status !== 422) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.definition;
  };
  const first = await call("GET", `/v1/apps/${app}`);
  const second = await call("PUT", `/v1/apps/${app}?serve=false`, definition);
  if (second === undefined) return undefined;
  await call("PUT", `/v1/apps/${app}/migrations/${first}/${second}`, forward);
  await call("PUT", `/v1/apps/${app}/migrations/${second}/${first}`, backward);
  return [first, second];
}
