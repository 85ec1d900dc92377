import CairnCore
import CairnDefinition
import CairnJournal
import CairnPostgres
import Foundation

// Measures only the journal on PostgreSQL. It commits one batch after the other over its one writing connection.
// usage: journal URL SCHEMA SESSIONS BATCH SECONDS
// Creates the sessions, prints `ready`, and waits for a line. Then it commits, and prints the entries, the seconds, and the median time of a commit
// in microseconds.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 5, let count = Int(words[2]), let batch = Int(words[3]), let seconds = Double(words[4]), count >= batch else {
  FileHandle.standardError.write(Data("journal: URL SCHEMA SESSIONS BATCH SECONDS\n".utf8))
  exit(2)
}

let stamp = Stamp(time: 1_700_000_000_000, nonce: "AAAAAAAAAAAAAAAAAAAAAA")
let push = Action.step(Step("productIsPicked", params: ["productId": 7]), from: nil)
let pop = Action.pop(count: 1, node: nil)
/// The difference of each entry. With its other fields, an entry has about 300 bytes.
let difference = [UInt8](repeating: 7, count: 250)

let text = try String(contentsOfFile: "config/apps/shop.yaml", encoding: .utf8)
let reducer = Reducer(try DefinitionLoader.load(file: "shop.yaml", text: text).definition)
let first = try reducer.create(Creation(hasToken: true), stamp: stamp).state
let journal = try PostgresJournal(
  PostgresTarget(words[0], schema: words[1]), keys: [[UInt8](repeating: 7, count: 32)], isSignaling: false)

/// A session in the state from which its next commit continues.
final class Session {
  let identity: SessionIdentity
  var state = first
  var hash: UInt64 = 0
  var isNew = true

  init(_ id: String) {
    identity = SessionIdentity(id: id, app: "shop", label: nil, createdAt: stamp.time, secretHash: [UInt8](repeating: 1, count: 32))
  }

  func next() throws -> SessionWrite {
    let before = state.revision
    let action = before % 2 == 1 ? push : pop
    if !isNew { _ = try reducer.reduce(&state, action, stamp: stamp) }
    hash &+= 1
    let entry = Entry(revision: state.revision, stamp: stamp, cause: .action(action))
    let write = SessionWrite(
      SessionRecord(identity, definition: "none", updatedAt: stamp.time, state: state, hash: hash), after: isNew ? 0 : before,
      entries: [JournalEntry(entry, difference: difference, definition: isNew ? "none" : nil, hash: hash)])
    isNew = false
    return write
  }
}

/// Commits one batch after the other. The sessions take turns.
struct Writer {
  let sessions: [Session]
  let batch: Int
  private var place = 0

  init(_ count: Int, batch: Int) {
    sessions = (0..<count).map { Session("\(words[1])-\($0)") }
    self.batch = batch
  }

  mutating func commit() throws {
    let chosen = (0..<batch).map { sessions[(place + $0) % sessions.count] }
    place = (place + batch) % sessions.count
    let versions = chosen.map { ($0.identity.id, SessionVersion($0.isNew ? 0 : $0.state.revision, hash: $0.hash)) }
    let faults = try journal.writer.commit(
      JournalBatch(
        sessions: chosen.map { try $0.next() },
        checks: JournalBatch.Checks(versions: Dictionary(uniqueKeysWithValues: versions), time: stamp.time)))
    guard faults.isEmpty else { fatalError("not committed: \(faults)") }
  }
}

var writer = Writer(count, batch: batch)
for _ in 0..<(count + batch - 1) / batch { try writer.commit() }
FileHandle.standardOutput.write(Data("ready\n".utf8))
_ = readLine()
let clock = ContinuousClock()
let began = clock.now
var times: [Duration] = []
while clock.now - began < .seconds(seconds) {
  let start = clock.now
  try writer.commit()
  times.append(clock.now - start)
}
let took = (clock.now - began) / .seconds(1)
times.sort()
let figures: [String: Double] = [
  "entries": Double(times.count * batch), "seconds": took, "p50": times[times.count / 2] / .microseconds(1),
]
print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
journal.close()
