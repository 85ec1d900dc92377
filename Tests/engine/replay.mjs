// Makes the recorded calls of an engine in its WebAssembly build, and compares the bytes of each output and of the view after it. The recording is from
// Tests/CairnCoreTests/Engine; its expected bytes are the service's. Also checks the limits of the engine's size, imports and memory. Then makes the
// calls that released versions have recorded (Tests/formats). CAIRN_FREEZE=0.2 records the calls of version 0.2, unless they exist. usage: node
// Tests/engine/replay.mjs FOLDER with engine.wasm, engine.wasm.br and recording.txt in it
import { createReadStream, existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import assert from "node:assert/strict";

const LARGEST_DOWNLOAD = 420_000;
const LARGEST_MEMORY = 8 << 20;
const LONGEST_START = 30;

const folder = process.argv[2];
const glue = await readFile(new URL("../../clients/javascript/src/engine.js", import.meta.url));
const size = (await stat(`${folder}/engine.wasm.br`)).size + brotliCompressSync(glue).length;
assert.ok(size <= LARGEST_DOWNLOAD, `the engine and what calls it have ${size} bytes with brotli, of ${LARGEST_DOWNLOAD}`);
const bytes = await readFile(`${folder}/engine.wasm`);
const compiled = await WebAssembly.compile(bytes);
assert.deepEqual(WebAssembly.Module.imports(compiled), []);

const [encoder, decoder] = [new TextEncoder(), new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })];
let engine;

/** Calls a function with `text` as its input, and returns its output. Throws the engine's error message if the call fails. */
function call(name, text, ...numbers) {
  const input = encoder.encode(text);
  const place = engine.input(input.length);
  new Uint8Array(engine.memory.buffer, place, input.length).set(input);
  const count = engine[name](...numbers);
  const output = decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), Math.abs(count)));
  assert.ok(count >= 0, `${name}: ${output}`);
  return output;
}

/** Calls the function of one line with the arguments that it takes. */
function play({ name, number, time, input }) {
  return name === "predict" ? call(name, input, number, time) : call(name, input);
}

let [start, calls, sessions, longest] = [0, 0, 0, 0];
for (let times = 0; times < 5; times += 1) {
  const before = performance.now();
  engine = (await WebAssembly.instantiate(compiled, {})).exports;
  const took = performance.now() - before;
  start = times === 0 ? took : Math.min(start, took);
}
assert.ok(start <= LONGEST_START, `the engine starts in ${start} ms, of ${LONGEST_START}`);
const formats = call("formats", "");
assert.match(formats, /^\{"definition":3,"engine":\d+,"state":\d+\}$/);

/** Makes the call of a line, and compares its output and the view. */
function replay(line, what, remedy = "") {
  const [name, number, time, input, output, view] = line.split("\t");
  const before = performance.now();
  const given = play({ name, number: Number(number), time: Number(time), input });
  longest = Math.max(longest, performance.now() - before);
  const place = `${what}, ${name} ${input.slice(0, 200)}${remedy}`;
  assert.equal(given, output, place);
  if (view) assert.equal(call("view", ""), view, `${place}: shown after it`);
}

const versions = new URL("../formats/", import.meta.url);
const frozen = (version) => new URL(`${version}/engine.txt.gz`, versions);
const isFreezing = process.env.CAIRN_FREEZE !== undefined && !existsSync(frozen(process.env.CAIRN_FREEZE));
// The first calls of the first session of each definition, while the recording is short.
const [kept, known] = [[formats], new Set()];
let left = 0;
function keep(line) {
  if (line.startsWith("define\t")) left = known.size < 60 && known.size < known.add(line).size ? 12 : 0;
  if (left > 0) kept.push(line);
  left -= 1;
}

for await (const line of createInterface({ input: createReadStream(`${folder}/recording.txt`) })) {
  calls += 1;
  if (line.startsWith("define\t")) sessions += 1;
  replay(line, `line ${calls}`);
  if (isFreezing) keep(line);
}
assert.ok(sessions >= 100 && calls >= 10_000, `only ${sessions} sessions with ${calls} calls`);
const memory = engine.memory.buffer.byteLength;
assert.ok(memory <= LARGEST_MEMORY, `the engine uses ${memory} bytes of memory, of ${LARGEST_MEMORY}`);
if (isFreezing) await writeFile(frozen(process.env.CAIRN_FREEZE), gzipSync(`${kept.join("\n")}\n`));
for (const version of (await readdir(versions)).filter((name) => /^\d+\.\d+$/.test(name))) {
  assert.ok(existsSync(frozen(version)), `the calls of ${version} are missing: CAIRN_FREEZE=${version} make test-engine records them`);
  const [then, ...lines] = gunzipSync(await readFile(frozen(version))).toString().trimEnd().split("\n");
  // A later engine with other formats or other results has other numbers, and clients then read the session again.
  if (then !== formats) continue;
  const remedy = `: the engine of ${version} gave other bytes: give the new form a new number; see docs/versions.md`;
  for (const [index, line] of lines.entries()) replay(line, `line ${index + 2} of ${version}`, remedy);
}
for (const wrong of ["", "{}", '{"format":1}', "["]) assert.throws(() => call("define", wrong));

console.log(
  `engine: ${calls} calls in ${sessions} sessions give the service's bytes; ${size} bytes with brotli, starts in ${start.toFixed(1)} ms, ` +
    `the longest call took ${longest.toFixed(1)} ms, ${memory >> 20} MiB of memory`,
);
