import CairnCore
import CairnDefinition
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// A database as the first version left it: sessions of every app, with timers, a held link, running calls, a long stack, a secret, and
/// one that was deleted. Beside it, what that version said of each.
@Suite(.tags(.timing), .ownThreads) struct `A database of the first version` {
  private struct Line {
    var id: String
    var revision: Int
    var updatedAt: Int
    var effects: Int
    var sketch: String
  }

  private let database: TemporaryDatabase
  private let lines: [Line]

  init() throws {
    database = try TemporaryDatabase()
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    try FileManager.default.copyItem(at: fixtures.appending(path: "version-1.db"), to: URL(filePath: database.path))
    lines = try String(contentsOf: fixtures.appending(path: "version-1.txt"), encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t").map(String.init)
      return Line(
        id: parts[0], revision: Int(parts[1]) ?? 0, updatedAt: Int(parts[2]) ?? 0, effects: Int(parts[3]) ?? 0, sketch: parts[4])
    }
  }

  private func reducer(of record: SessionRecord, in journal: SQLiteJournal) throws -> Reducer {
    let text = try #require(try journal.definition(record.definition))
    return Reducer(try DefinitionLoader.load(canonical: text).definition)
  }

  /// The state that the entries give, run again.
  private func replayed(_ id: String, _ reducer: Reducer, _ journal: SQLiteJournal) throws -> State? {
    var state: State?
    for entry in try journal.entries(of: id, after: 0, limit: 1_000).map(\.entry) {
      switch entry.cause {
      case .creation(let creation): state = try reducer.create(creation, stamp: entry.stamp).state
      case .action(let action):
        var next = try #require(state)
        _ = try reducer.reduce(&next, action, stamp: entry.stamp)
        state = next
      }
    }
    return state
  }

  @Test func `is opened with every state as it was`() throws {
    let journal = try database.open()
    defer { journal.close() }
    #expect(try journal.count() == lines.count)
    #expect(lines.count == 11)
    for line in lines {
      let record = try #require(try journal.session(line.id))
      let reducer = try reducer(of: record, in: journal)
      #expect(record.state.revision == line.revision)
      #expect(record.updatedAt == line.updatedAt)
      #expect(record.label == "label of \(line.id)")
      #expect(record.secretHash == [1, 2, 3])
      #expect(record.state.effects.count == line.effects)
      #expect(reducer.tree(of: record.state).sketch == line.sketch)
      #expect(try replayed(line.id, reducer, journal) == record.state)
    }
    #expect(try journal.session("gone") == nil)
    #expect(try journal.secret(.token, of: "qiita-token") == "the-token")
    #expect(try journal.secret(.code(effect: 1), of: "qiita-exchange") == "the-code")
    let due = try journal.claimEffects(until: .max).map(\.id)
    #expect(Set(due) == Set(lines.filter { $0.effects > 0 }.map(\.id)))
  }

  @Test func `is gone on with, and again after a restart`() throws {
    let pop = Action.pop(count: 1, node: nil)
    for round in 1...2 {
      let journal = try database.open()
      for id in ["shop-deep", "qiita-token", "rx"] {
        for turn in 1...20 {
          let record = try #require(try journal.session(id))
          var state = record.state
          // Back and forth, so that there is always something to pop.
          let step = Step("productIsPicked", params: ["productId": .integer(turn)])
          let action = id == "shop-deep" ? Action.step(step, from: nil) : turn == 1 && round == 1 ? pop : .facts([:])
          let stamp = Stamp(time: record.updatedAt + 1, nonce: "n\(round).\(turn)")
          let transition = try reducer(of: record, in: journal).reduce(&state, action, stamp: stamp)
          guard transition.outcome != .unchanged else { continue }
          var after = record
          after.state = state
          after.updatedAt = stamp.time
          let entry = JournalEntry(
            Entry(revision: state.revision, stamp: stamp, cause: .action(action)), from: record.state, to: state)
          #expect(try journal.commit(JournalBatch(sessions: [SessionWrite(after, after: record.state.revision, entries: [entry])])).isEmpty)
          #expect(try journal.session(id) == after)
        }
      }
      #expect(try journal.session("shop-deep")?.state.revision == 41 + 20 * round)
      #expect(try journal.past(of: "shop-deep", at: 41 + 20 * round - 5)?.state.revision == 41 + 20 * round - 5)
      #expect(throws: JournalError.self) { try journal.past(of: "shop-deep", at: 7) }
      journal.close()
    }
  }

  @Test func `goes on in a store: history from its first entry, an old revision, timers and calls`() throws {
    let clock = ManualClock(1_700_000_100_000)
    let outbound = StubOutbound()
    let store = Store(
      journal: try database.open(), outbound: outbound, clock: clock,
      definitions: { text in
        let loaded = try DefinitionLoader.load(canonical: text)
        return PinnedDefinition(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition)
      }, nonce: { "nonce" })
    try store.start()
    defer { store.stop() }
    guard case .exchange(_, _, let code, _) = try outbound.call(0) else {
      Issue.record("the token call did not run again")
      return
    }
    #expect(code == "the-code")
    let history = try awaiting { store.history(of: "shop-deep", after: 0, limit: 100, as: { ($0, 0) }, reply: $0) }.get()
    #expect(history.items.map(\.entry.revision) == Array(1...41))
    #expect(history.items.dropFirst().allSatisfy { $0.transition.changes.count == 1 })
    let old = try awaiting { store.session("shop-deep", at: 7, reply: $0) }.get()
    #expect(old.definition.reducer.routes(of: old.state).count == 7)
    let posted = try awaiting { store.post([.action(.pop(count: 1, node: nil))], to: "rx", reply: $0) }.get()
    #expect(posted.session.state.revision == 6)
    let page = try awaiting { store.history(of: "rx", after: 3, limit: 10, as: { ($0, 0) }, reply: $0) }.get()
    #expect(page.items.map(\.entry.revision) == [4, 5, 6])
  }
}
