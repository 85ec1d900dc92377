import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, root } from "./service.js";

const program = `
import pathlib, random, sys
sys.path.insert(0, "Benchmarks")
from bars import oddapps
print(*oddapps.write(pathlib.Path(sys.argv[1]), random.Random(int(sys.argv[2])), int(sys.argv[3]), sys.argv[4]))
`;

/** Unusual definitions, those of Benchmarks/drive, in a folder of their own: `{ folder, names }`. */
export function writeOddApps(seed, count) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-js-apps-"));
  const names = execFileSync("python3", ["-c", program, folder, String(seed), String(count), binary], { cwd: root, encoding: "utf8" });
  return { folder, names: names.trim().split(" ") };
}
