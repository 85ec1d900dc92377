// The backend that a team could write in an afternoon instead of using Cairn: Node's http and node:sqlite, sessions in memory, one commit with synchronous=FULL
// per action, checked secrets, the same routes. It has one app with one stack: `search.webView` pushes, `pop` pops.
// usage: node peer.mjs DATABASE. Prints "peer listens on URL" when ready; ends with its standard input.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(process.argv[2]);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, secret BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS actions (number INTEGER PRIMARY KEY, session TEXT NOT NULL, revision INTEGER NOT NULL, action TEXT NOT NULL)`);
const insertSession = database.prepare("INSERT INTO sessions VALUES (?, ?)");
const insertAction = database.prepare("INSERT INTO actions (session, revision, action) VALUES (?, ?, ?)");
const sessions = new Map();

const hash = (text) => createHash("sha256").update(text).digest();
const route = (session) =>
  session.stack.map((node) => ({ id: node.id, screen: node.name, params: node.params, flow: "search" }));
const tree = (session) => ({
  id: "n1", kind: "switch", name: "root", selected: 0,
  children: [{ id: "n2", kind: "stack", name: "search", children: session.stack.map((node) => ({ kind: "screen", ...node })) }],
});

function create() {
  const id = "s" + randomBytes(17).toString("base64url");
  const secret = randomBytes(32).toString("base64url");
  const session = { id, secret: hash(secret), revision: 1, next: 4, stack: [{ id: "n3", name: "searchTop" }] };
  insertSession.run(id, session.secret);
  sessions.set(id, session);
  return [201, { id, app: "qiita", secret, ...body(session) }];
}

function body(session) {
  const stack = route(session);
  return { revision: session.revision, visible: stack.at(-1), stack, tree: tree(session) };
}

function act(session, action) {
  const changes = [];
  if (action.step === "search.webView" && typeof action.params?.url === "string") {
    if (session.stack.at(-1).name !== "safari") {
      const node = { id: "n" + session.next++, name: "safari", params: { url: action.params.url } };
      session.stack.push(node);
      changes.push({ op: "push", in: "n2", node: { kind: "screen", ...node } });
    }
  } else if (action.type === "pop") {
    if (session.stack.length > 1) {
      session.stack.pop();
      changes.push({ op: "pop", in: "n2", to: session.stack.at(-1).id });
    }
  } else {
    return [422, { status: 422, code: "unknown-step" }];
  }
  if (changes.length > 0) insertAction.run(session.id, ++session.revision, JSON.stringify(action));
  return [200, { outcome: changes.length > 0 ? "performed" : "unchanged", events: [], changes, ...body(session) }];
}

function answer(response, status, value, revision) {
  const text = JSON.stringify(value);
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text), "Cache-Control": "no-store" };
  if (revision !== undefined) headers.ETag = `"${revision}"`;
  response.writeHead(status, headers).end(text);
}

function handle(request, response, text) {
  const [, version, collection, id, member] = request.url.split("/");
  if (version !== "v1" || collection !== "sessions") return answer(response, 404, { status: 404, code: "not-found" });
  if (id === undefined) return answer(response, ...create());
  const session = sessions.get(id);
  const given = hash((request.headers.authorization ?? "").replace(/^Bearer /, ""));
  if (session === undefined || !timingSafeEqual(given, session.secret)) return answer(response, 401, { status: 401, code: "unauthorized" });
  if (request.method === "GET" && member === undefined) {
    return answer(response, 200, { id, app: "qiita", ...body(session) }, session.revision);
  }
  let action;
  try {
    action = JSON.parse(text);
  } catch {
    return answer(response, 400, { status: 400, code: "not-json" });
  }
  const [status, value] = act(session, action);
  answer(response, status, value, session.revision);
}

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part) => (text += part));
  request.on("end", () => handle(request, response, text));
});
server.listen(0, "127.0.0.1", () => console.log(`peer listens on http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit(0)).resume();
