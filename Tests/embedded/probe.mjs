// Runs the probe that scripts/check-embedded links: numbers beyond 32 bits must have the same values as in the service.
import { readFile } from "node:fs/promises";
import assert from "node:assert/strict";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
assert.deepEqual(WebAssembly.Module.imports(module), [{ module: "host", name: "number", kind: "function" }]);
const decoder = new TextDecoder("utf-8", { fatal: true });
const instance = await WebAssembly.instantiate(module, {
  host: { number: (place, length) => Number(decoder.decode(new Uint8Array(engine.memory.buffer, place, length))) },
});
const engine = instance.exports;

function call(name, text) {
  const bytes = new TextEncoder().encode(text);
  const place = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
  const count = engine[name]();
  assert.notEqual(count, -1, `${name} ${text}`);
  return decoder.decode(new Uint8Array(engine.memory.buffer, engine.output(), count));
}

// Numbers that 32 bits and a double do not hold, and a text that is not ASCII. Members are written in the order of their names.
const values =
  '{"at":1795253661369,"half":0.5,"last":253402300799999,"least":-9223372036854775808,"more":4294967297,"most":9223372036854775807,' +
  '"productId":3000000000,"small":-2147483649,"text":"ü \u{1F469}‍\u{1F467}","whole":[0,-1,1]}';
assert.equal(call("again", values), values);
assert.equal(call("again", "[3e9,3000000000.0]"), "[3000000000,3000000000]");

const at = 1795253661369;
const session = JSON.parse(call("session", `{"at":${at},"by":3000000001,"productId":3000000000}`));
assert.equal(session.now, at + 3000000001);
assert.equal(session.due, at + 2 * 3000000000);
assert.equal(session.refusal, "n3000000001 has never been assigned");
assert.deepEqual(session.changes, [
  { op: "push", in: "n1", node: { id: "n3", kind: "screen", name: "product", params: { productId: 3000000000 } } },
]);
assert.deepEqual(session.stack.map((entry) => entry.screen), ["home", "product", "late"]);
console.log("embedded: 3000000000, times in milliseconds and 64-bit integers survive in WebAssembly");
