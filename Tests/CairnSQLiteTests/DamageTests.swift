import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Torn pages and changed rows are detected, and affect only their own session.
@Suite(.tags(.timing), .ownThreads) struct `Damage` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func check(_ journal: SQLiteJournal) -> SessionCheck { SessionCheck(journal, definitions: { try Trial.read($0) }) }

  private func change(_ sql: String, _ database: TemporaryDatabase) throws {
    try database.change(sql)
  }

  /// Creates the sessions a and b, and stops the store cleanly.
  private func stopped(pages: Int = 40) throws {
    let bench = try StoreBench(try database.open())
    for id in ["a", "b"] {
      try bench.create(id, accessToken: "token-of-\(id)")
      for page in 1...pages { try bench.post(Trial.page(page), to: id) }
    }
    bench.store.stop()
  }

  private func faults() throws -> [String: String] {
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    return try ["a", "b"].reduce(into: [:]) { found, id in found[id] = try check(journal).fault(of: id) }
  }

  @Test func `an undamaged database has no faults, and the check does not change it`() throws {
    try stopped()
    let before = try database.bytes(of: ["", "-wal", ".mark"])
    #expect(try faults() == [:])
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    #expect(try journal.integrityFaults() == [])
    #expect(try journal.documents.definitions().count == 1)
    #expect(try journal.secretFaults().count == 2)
    #expect(try journal.secretFaults().sessions == [])
    #expect(throws: JournalError.self) { try journal.writer.probe() }
    #expect(try database.bytes(of: ["", "-wal", ".mark"]) == before)
  }

  @Test(arguments: [
    (
      """
      UPDATE entries SET difference = (SELECT difference FROM entries WHERE session = 2 AND revision = 7)
      WHERE session = 2 AND revision = 8
      """, "entry 8"
    ),
    ("UPDATE entries SET cause = replace(cause, '12', '13') WHERE session = 2 AND revision = 13", "entry 13"),
    ("DELETE FROM entries WHERE session = 2 AND revision = 5", "missing"),
    ("UPDATE snapshots SET state = CAST('{' AS BLOB) WHERE session = 2", "snapshot"),
    ("UPDATE secrets SET box = zeroblob(60) WHERE session = 'b'", "secret"),
    ("UPDATE definitions SET text = text || ' '", "definition"),
  ])
  func `a changed row is reported`(sql: String, words: String) throws {
    try stopped()
    try change(sql, database)
    let found = try faults()
    let fault = try #require(found["b"])
    #expect(fault.contains(words), "\(fault)")
    if !sql.contains("definitions") { #expect(found["a"] == nil) }
  }

  @Test func `a torn page fails only the sessions that are on it`() throws {
    try stopped(pages: 300)
    // A page that contains only entries of session b.
    let queue = try DatabaseQueue(path: database.path)
    let nonce = try queue.read { db in try String.fetchOne(db, sql: "SELECT nonce FROM entries WHERE session = 2 AND revision = 150") }
    try queue.close()
    var bytes = try Data(contentsOf: URL(filePath: database.path))
    let place = try #require(bytes.range(of: Data((nonce ?? "").utf8))?.lowerBound)
    let page = place / 4_096 * 4_096
    bytes.replaceSubrange(page..<(page + 4_096), with: Data(repeating: 0xA5, count: 4_096))
    try bytes.write(to: URL(filePath: database.path))

    let found = try faults()
    #expect(Array(found.keys) == ["b"])
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    #expect(try !journal.integrityFaults().isEmpty)
    journal.close()

    let bench = try StoreBench(try database.open(), limits: StoreLimits(sampling: 1, samplingRest: 0))
    defer { bench.store.stop() }
    #expect(try bench.post(Trial.page(1), to: "a").session.state.revision == 302)
    #expect(throws: StoreFault.self) { try bench.history(of: "b", after: 140, limit: 20) }
    // The event is logged after the session has been counted.
    func told() -> [String] { bench.events.compactMap { if case .sessionDamaged(let session, _) = $0 { session } else { nil } } }
    // The sampler pauses for a hundred times the duration of a sample, which is long on a busy machine.
    try wait(for: "the report of the damaged session") { !told().isEmpty }
    #expect(bench.store.figures.damaged == 1)
    #expect(told() == ["b"])
  }

  @Test(arguments: ["unreadable", "gone"]) func `a session that is unreadable at the start is set aside, and others continue`(how: String)
    throws
  {
    let before = try StoreBench(try database.open())
    for id in ["a", "b"] {
      try before.create(id)
      try before.post(Trial.step("ring"), to: id)
    }
    before.store.stop()
    try change(
      how == "gone"
        ? "DELETE FROM entries WHERE session = 2" : "UPDATE entries SET difference = CAST('{' AS BLOB) WHERE session = 2", database)
    try change("UPDATE snapshots SET state = CAST('{' AS BLOB) WHERE session = 2", database)
    let bench = try StoreBench(try database.open(), clock: before.clock)
    defer { bench.store.stop() }
    for tick in 1...3 {
      bench.clock.advance(by: 10_000)
      try bench.settle()
      #expect(try bench.session("a").count == tick)
    }
    #expect(bench.store.figures.damaged == 1)
    let told = bench.events.filter { if case .sessionUnreadable("b", _) = $0 { true } else { false } }
    #expect(told.count == 1)
    #expect(try bench.sessions().damaged == ["b"])
    #expect(try bench.sessions().sessions.map(\.id) == ["a"])
    try bench.create("c")
  }

  @Test func `a manual clock near the maximum integer fails its session only`() throws {
    let before = try StoreBench(try database.open())
    try before.create("a", creation: Creation(manualClock: true))
    try before.create("b")
    try before.post(.advance(by: 123_456_789), to: "a")
    let time = try #require(try before.session("a").state.manualTime)
    try before.post(Trial.step("ring"), to: "a")
    before.store.stop()
    for (table, column) in [("entries", "difference"), ("snapshots", "state")] {
      try change(
        "UPDATE \(table) SET \(column) = CAST(replace(CAST(\(column) AS TEXT), '\(time)', '\(Int.max - 7)') AS BLOB)", database)
    }
    for _ in 1...2 {
      let bench = try StoreBench(try database.open(), clock: before.clock)
      defer { bench.store.stop() }
      bench.clock.advance(by: 10_000)
      try bench.settle()
      #expect(throws: StoreFault.self) { try bench.session("a") }
      try bench.post(Trial.page(1), to: "b")
    }
  }

  @Test func `the check of a long session can be cancelled`() throws {
    try stopped(pages: 300)
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    var asked = 0
    #expect(throws: JournalError.closed) {
      try check(journal).fault(
        of: "a",
        while: {
          asked += 1
          return asked < 2
        })
    }
    #expect(asked == 2)
  }

  @Test func `a list names a damaged session instead of returning it, and continues with the next one`() throws {
    try stopped()
    try change("UPDATE entries SET difference = CAST('{' AS BLOB) WHERE session = 2", database)
    try change("DELETE FROM snapshots WHERE session = 2", database)
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    try bench.create("c")
    let page = try bench.sessions()
    #expect(page.sessions.map(\.id) == ["a", "c"])
    #expect(page.damaged == ["b"])
    let first = try bench.sessions(after: "a", limit: 1)
    #expect(first.sessions.map(\.id) == ["c"] && first.damaged == ["b"] && !first.more)
    #expect(try bench.sessions(after: "b", limit: 1).sessions.map(\.id) == ["c"])
  }

  @Test(arguments: 1...12) func `a log that was cut or changed restores an earlier state, or is rejected`(seed: Int) throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try bench.create("a")
    for page in 1...30 { try bench.post(Trial.page(page), to: "a") }
    let left = try database.crashed()
    bench.store.stop()
    var chance = Chance(seed: UInt64(seed))
    let url = URL(filePath: left.path + "-wal")
    var bytes = try Data(contentsOf: url)
    let place = Int.random(in: 32..<bytes.count, using: &chance)
    if seed.isMultiple(of: 2) { bytes.removeSubrange(place...) } else { bytes[place] ^= 0x41 }
    try bytes.write(to: url)
    let again: SQLiteJournal
    do {
      again = try left.open(acceptsLoss: true)
    } catch {
      // The log was cut before the end of the first commit, so the database does not exist yet.
      return
    }
    defer { again.close() }
    guard let session = try again.sessions.session("a") else { return }
    #expect(session.state.revision <= 31)
    #expect(try check(again).fault(of: "a") == nil)
  }
}
