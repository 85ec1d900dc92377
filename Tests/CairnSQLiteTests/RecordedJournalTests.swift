import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnSQLite

/// Random sessions that are written to a database and read again after a restart. The fixture contains one digest per seed of the tree of
/// every revision and of the transitions of the history. It does not depend on the storage format. If `CAIRN_RECORD_DRIVES` is set, the
/// fixture is recorded again, which is right only for an intended change of the engine.
@Suite struct `Recorded journals` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/drives.txt")
  private static let seeds = 0..<40

  private static func pinned(_ text: String) -> PinnedDefinition {
    let seed = UInt64(text) ?? 0
    let definition = seed.isMultiple(of: 2) ? RandomDefinition.whole(seed: seed) : RandomDefinition.make(seed: seed)
    return PinnedDefinition(hash: "hash-of-\(text)", text: text, definition: definition)
  }

  private static func store(_ journal: SQLiteJournal) throws -> Store {
    let store = Store(
      journal: journal, outbound: StubOutbound(), clock: ManualClock(), definitions: { pinned($0) }, nonce: { "nonce" })
    try store.start()
    return store
  }

  /// Runs up to 60 actions on the definition of each seed. Returns the seeds whose creation succeeded.
  private static func drive(_ store: Store) throws -> [Int] {
    try seeds.filter { seed in
      let new = NewSession(
        id: "s\(seed)", definition: pinned("\(seed)"), label: "label \(seed)", secretHash: [1, 2, 3],
        creation: Creation(manualClock: true), accessToken: seed.isMultiple(of: 3) ? "token" : nil)
      guard var session = try? awaiting({ store.create(new, reply: $0) }).get().session else { return false }
      var chance = Chance(seed: UInt64(seed) &* 6_700_417)
      for _ in 0..<60 where session.state.nodes.count < 60 && session.state.revision < 100 {
        let command =
          chance.isHeads(oneIn: 8) ? Command.advance(by: chance.below(500)) : .action(RandomAction.whole(&chance, for: session.state))
        if case .success(let posted) = try awaiting({ store.post([command], to: "s\(seed)", reply: $0) }) { session = posted.session }
      }
      return true
    }
  }

  private static func digest(_ seed: Int, _ store: Store) throws -> String {
    let id = "s\(seed)"
    let newest = try awaiting { store.session(id, reply: $0) }.get()
    let history = try awaiting { store.history(of: id, after: 0, limit: 1_000, as: { ($0, 0) }, reply: $0) }.get().items
    let isWhole = history.map(\.entry.revision) == Array(1...newest.state.revision)
    try #require(isWhole)
    var trace = Trace()
    for item in history {
      let session = try awaiting { store.session(id, at: item.entry.revision, reply: $0) }.get()
      let isSame = session.state == item.after
      #expect(isSame)
      trace.note(.success(item.transition), session.state, session.definition.reducer)
      trace.noteRest(of: session.state, session.definition.reducer)
    }
    return "\(seed) \(newest.state.revision) \(trace.digest)"
  }

  @Test func `every tree of random sessions equals the recorded one`() throws {
    let database = try TemporaryDatabase()
    let first = try Self.store(database.open())
    let driven = try Self.drive(first)
    first.stop()
    let second = try Self.store(database.open())
    defer { second.stop() }
    let now = try driven.map { try Self.digest($0, second) }
    if ProcessInfo.processInfo.environment["CAIRN_RECORD_DRIVES"] != nil {
      try (now.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let then = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(now == then)
    #expect(then.count > 30)
  }
}
