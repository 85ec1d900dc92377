import assert from "node:assert/strict";
import test from "node:test";
import { EventStreamParser } from "../src/event-stream.js";

const encoder = new TextEncoder();

function read(text, cut = text.length || 1, parser = new EventStreamParser()) {
  const bytes = encoder.encode(text);
  const messages = [];
  for (let at = 0; at < bytes.length; at += cut) messages.push(...parser.push(bytes.slice(at, at + cut)));
  return messages.map(({ type, data, lastEventId }) => [type, data, lastEventId]);
}

// The examples in the HTML standard's section on interpreting an event stream, and a few more cases.
const cases = {
  "the data lines of an event are joined with newlines": ["data: YHOO\ndata: +2\ndata: 10\n\n", [["message", "YHOO\n+2\n10", ""]]],
  "comments are ignored, an id also applies to later events, and an empty id clears it": [
    ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
    [["message", "first event", "1"], ["message", "second event", ""], ["message", " third event", ""]],
  ],
  "empty data is dispatched as an event, and an incomplete event at the end of the stream is dropped": [
    "data\n\ndata\ndata\n\ndata:", [["message", "", ""], ["message", "\n", ""]],
  ],
  "one space after the colon is removed": ["data:test\n\ndata: test\n\n", [["message", "test", ""], ["message", "test", ""]]],
  "a type applies only to its own event": ["event: change\ndata: 1\n\ndata: 2\n\n", [["change", "1", ""], ["message", "2", ""]]],
  "a type without data dispatches no event": ["event: change\n\ndata: 2\n\n", [["message", "2", ""]]],
  "an id without data applies to later events": ["id: 7\n\ndata: 2\n\n", [["message", "2", "7"]]],
  "an id that contains a null character is ignored": ["id: 7\ndata: 1\n\nid: 8\0\ndata: 2\n\n", [["message", "1", "7"], ["message", "2", "7"]]],
  "lines end with CRLF, CR or LF": ["data: 1\r\n\r\ndata: 2\r\rdata: 3\n\ndata: 4\r\n\n", ["1", "2", "3", "4"].map((data) => ["message", data, ""])],
  "a byte order mark at the beginning is ignored": ["\uFEFFdata: 1\n\n", [["message", "1", ""]]],
  "unknown fields are ignored": ["date: 1\nDATA: 2\ndata : 3\ndata: 4\n\n", [["message", "4", ""]]],
  "characters of several bytes are decoded": ["data: käse 🧀 ☃\n\n", [["message", "käse 🧀 ☃", ""]]],
};

for (const [name, [text, expected]] of Object.entries(cases)) {
  test(`${name}, wherever the bytes are split`, () => {
    for (let cut = 1; cut <= encoder.encode(text).length; cut += 1) assert.deepEqual(read(text, cut), expected, `in chunks of ${cut} bytes`);
  });
}

test("a `retry` value that is not all digits is ignored", () => {
  const parser = new EventStreamParser();
  read("retry: 2000\n", 3, parser);
  assert.equal(parser.retry, 2000);
  read("retry: 2s\nretry:\nretry: -1\n", 4, parser);
  assert.equal(parser.retry, 2000);
});

test("`lastEventId` begins with the given id, and changes only when an event is complete", () => {
  const parser = new EventStreamParser("4");
  read("data: 1\n\n", 20, parser);
  assert.equal(parser.lastEventId, "4");
  read("id: 5\ndata: 2\n", 20, parser);
  assert.equal(parser.lastEventId, "4");
  read("\n", 20, parser);
  assert.equal(parser.lastEventId, "5");
});
