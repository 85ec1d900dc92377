import CairnCore
import CairnJournal
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnPostgres

@Suite(.tags(.timing), .ownThreads) struct `A restore of a PostgreSQL database` {
  private let key = [UInt8](repeating: 7, count: 32)
  private let server: PostgresServer
  private let database: String
  private let target: PostgresTarget
  private let dump: String

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.createDatabase()
    target = try PostgresTarget(server.url(database))
    dump = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString).dump").path
  }

  /// The ways in which an operator restores a database.
  enum Way: CaseIterable {
    /// The schema is dropped, and everything in the dump is restored. The list of erasures is in another schema of the database.
    case schemaDropped
    /// The database is dropped and created again. The list of erasures is in another database.
    case databaseDropped
  }

  private func open(
    _ list: PostgresTarget?, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws -> PostgresJournal {
    try PostgresJournal(target, keys: [key], erasures: list, log: log)
  }

  private func backUp() throws { try server.run("pg_dump", ["-Fc", "-f", dump, server.url(database)]) }

  private func restore(_ way: Way) throws {
    switch way {
    case .schemaDropped:
      // A running node may read two tables at this moment, so that the node and the drop wait for each other. The server aborts the one whose
      // timeout passes first. This must be the node, which then reconnects.
      try server.run("psql", ["-c", "SET deadlock_timeout = '4min'", "-c", "DROP SCHEMA cairn CASCADE", server.url(database)])
      // pg_restore reports an error because the other schema exists.
      try server.run("pg_restore", ["-d", server.url(database), dump], acceptsFailure: true)
    case .databaseDropped:
      try server.sql("DROP DATABASE \(database)", "CREATE DATABASE \(database)")
      try server.run("pg_restore", ["-d", server.url(database), dump])
    }
  }

  private func list(_ way: Way) throws -> PostgresTarget? {
    way == .schemaDropped ? nil : try PostgresTarget(server.url(try server.createDatabase()))
  }

  /// Creates the sessions a to d with 31 revisions each, forgets the beginning of d, and makes a dump. Then one node deletes a, and another node forgets the
  /// beginning of b.
  private func erasedAfterDump(_ list: PostgresTarget?) throws {
    let bench = try StoreBench(open(list))
    defer { bench.store.stop() }
    for id in ["a", "b", "c", "d"] {
      try bench.create(id)
      for page in 1...15 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: id) }
    }
    _ = try awaiting { bench.store.forget("d", before: 9, reply: $0) }.get()
    try bench.create("e")
    try bench.delete("e")
    try backUp()
    try bench.delete("a")
    let other = try StoreBench(open(list))
    defer { other.store.stop() }
    for page in 1...5 { try other.post(Trial.page(page), to: "b") }
    _ = try awaiting { other.store.forget("b", before: 34, reply: $0) }.get()
  }

  @Test(arguments: Way.allCases) func `deletes and forgets again at the start what was erased since the backup, by whichever node`(
    _ way: Way
  ) throws {
    let list = try list(way)
    try erasedAfterDump(list)
    try restore(way)
    let inspection = try PostgresJournal(target, keys: [key], for: .inspection, erasures: list)
    let found = try inspection.outstandingErasures()
    inspection.close()
    #expect(found == RepeatedErasures(deleted: 1, forgotten: 1, isOlder: true) && found.faults.count == 2)

    let events = Lock<[StoreEvent]>([])
    let journal = try open(list) { event in events.withLock { $0.append(event) } }
    defer { journal.close() }
    #expect(try journal.sessions.session("a") == nil)
    // The history was kept from revision 34 on, but the restored session ends at revision 31. So only its newest state remains.
    #expect(try journal.history.beginning(of: "b")?.revision == 31 && journal.sessions.session("b")?.state.revision == 31)
    #expect(throws: JournalError.forgotten(first: 31)) { try journal.history.entries(of: "b", after: 1, limit: 10) }
    #expect(try journal.history.beginning(of: "c") == nil && journal.sessions.session("c")?.state.revision == 31)
    #expect(try journal.history.beginning(of: "d")?.revision == 9)
    let told = events.withLock { $0 }
    #expect(told == [.databaseOlder(reason: RepeatedErasures.olderReason), .erasuresRepeated(sessions: 1, histories: 1)])
    #expect(journal.figures.losses == 1 && journal.figures.repeatedErasures == 2)
    let check = try JournalCheck(journal, opensSecrets: true) { try Trial.read($0) }
    #expect(check.faults == [] && check.sessions == 3)
    // The mark now describes this database, so no erasure is outstanding.
    #expect(try journal.outstandingErasures().isEmpty)
    #expect(try journal.repeatErasures().isEmpty)
    // The dump also contains a part of the list. The list continues after its own newest number.
    #expect(try journal.writer.commit(JournalBatch(deletions: ["c"])) == [:])
    #expect(try journal.sessions.session("c") == nil)
  }

  @Test func `under a running node is noticed by its next look at the list`() throws {
    try erasedAfterDump(nil)
    let journal = try open(nil)
    defer { journal.close() }
    #expect(try journal.repeatErasures().isEmpty)
    try restore(.schemaDropped)
    #expect(try journal.repeatErasures() == RepeatedErasures(deleted: 1, forgotten: 1, isOlder: true))
    #expect(try journal.sessions.session("a") == nil)
  }

  @Test func `is repaired by the command, which returns the numbers`() throws {
    try erasedAfterDump(nil)
    try restore(.schemaDropped)
    #expect(
      try PostgresJournal.repeatErasures(target, keys: [key], erasures: nil)
        == RepeatedErasures(deleted: 1, forgotten: 1, isOlder: true))
    #expect(try PostgresJournal.repeatErasures(target, keys: [key], erasures: nil).isEmpty)
  }

  @Test func `is noticed also if nothing was erased since the backup`() throws {
    let bench = try StoreBench(open(nil))
    try bench.create("a")
    try backUp()
    try bench.create("b")
    // A node stores a mark every few seconds, and when it stops.
    bench.store.stop()
    try restore(.schemaDropped)
    for losses in [1, 0] {
      let journal = try open(nil)
      #expect(journal.figures.losses == losses && journal.figures.repeatedErasures == 0)
      journal.close()
    }
  }
}

@Suite(.tags(.timing), .ownThreads) struct `The list of erasures on PostgreSQL` {
  private let schema: TemporarySchema

  init() throws { schema = try TemporarySchema() }

  private func listed() throws -> String {
    try PostgresServer.shared.get().sql(
      "SELECT session, revision, is_committed FROM \"\(schema.target.schema)_erasures\".erasures ORDER BY number")
  }

  @Test func `has each deletion and each forgotten history once its commit is acknowledged`() throws {
    let bench = try StoreBench(schema.open())
    defer { bench.store.stop() }
    for id in ["a", "b"] {
      try bench.create(id)
      for page in 1...5 { try bench.post(Trial.page(page), to: id) }
    }
    #expect(try listed() == "")
    try bench.delete("a")
    _ = try awaiting { bench.store.forget("b", before: 4, reply: $0) }.get()
    #expect(try listed() == "1||t\n2|4|t")
  }

  @Test func `loses what a commit did not erase, because another node had changed the session`() throws {
    let bench = try StoreBench(schema.open())
    defer { bench.store.stop() }
    try bench.create("a")
    let journal = try schema.open()
    defer { journal.close() }
    let version = try #require(try journal.sessions.version(of: "a"))
    try bench.post(Trial.page(1), to: "a")
    let batch = JournalBatch(deletions: ["a"], checks: JournalBatch.Checks(versions: ["a": version], time: 0))
    #expect(try journal.writer.commit(batch) == ["a": .conflict(session: "a")])
    #expect(try listed() == "")
    #expect(try journal.repeatErasures().isEmpty && journal.sessions.session("a") != nil)
  }

  @Test func `refuses only what would be erased while it cannot be written`() throws {
    let bench = try StoreBench(schema.open())
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    let list = "\"\(schema.target.schema)_erasures\".erasures"
    try PostgresServer.shared.get().sql("ALTER TABLE \(list) RENAME TO away")
    #expect(throws: StoreFault.self) { try bench.delete("a") }
    try bench.post(Trial.page(1), to: "b")
    #expect(try bench.session("a").pages == [0] && bench.session("b").pages == [0, 1])
    try PostgresServer.shared.get().sql("ALTER TABLE \"\(schema.target.schema)_erasures\".away RENAME TO erasures")
    // The node tries to use the list again a second after the failure.
    try wait(for: "a deletion") { (try? bench.delete("a")) != nil }
    #expect(try listed() == "1||t")
  }

  @Test func `is not carried out for a commit that did not happen, however long ago it was`() throws {
    let bench = try StoreBench(schema.open())
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    try bench.delete("b")
    // The rows of two killed nodes: one killed before its commit, and one after it.
    let list = "\"\(schema.target.schema)_erasures\".erasures"
    try PostgresServer.shared.get().sql(
      """
      INSERT INTO \(list) (journal, number, at, session, id, is_committed)
      SELECT (SELECT journal FROM \(list) LIMIT 1), number + 10, now() - interval '2 min', number, substr(sha256(convert_to(id, 'UTF8')), 1, 16), false
      FROM "\(schema.target.schema)".sessions
      """,
      "UPDATE \(list) SET is_committed = false, at = now() - interval '2 min' WHERE session = 2")
    let journal = try schema.open()
    defer { journal.close() }
    #expect(try journal.sessions.session("a") != nil)
    #expect(try listed() == "2||t")
  }

  @Test func `gives each erasure a number of its own, also when two nodes erase at the same time, and when old rows were deleted`() throws {
    let benches = try (0..<2).map { _ in try StoreBench(schema.open()) }
    defer { for bench in benches { bench.store.stop() } }
    let ids = (0..<40).map { "s\($0)" }
    for id in ids { try benches[0].create(id) }
    let deleted = Monitor(0)
    for (index, id) in ids.enumerated() {
      benches[index % 2].store.delete(id) { result in if case .success = result { deleted.change { $0 += 1 } } }
    }
    try deleted.wait(for: "all deletions") { $0 == ids.count ? () : nil }
    let list = "\"\(schema.target.schema)_erasures\""
    #expect(try PostgresServer.shared.get().sql("SELECT count(DISTINCT number), max(number) FROM \(list).erasures") == "40|40")
    try PostgresServer.shared.get().sql("UPDATE \(list).marks SET listed = 40", "DELETE FROM \(list).erasures")
    try benches[0].create("last")
    try benches[0].delete("last")
    #expect(try PostgresServer.shared.get().sql("SELECT number FROM \(list).erasures") == "41")
  }

  @Test func `gives no number again because a node stores what it read before the rows were deleted`() throws {
    let journal = try schema.open()
    defer { journal.close() }
    let list = SharedErasureList(schema.target.forErasures, journal: [1])
    defer { list.close() }
    let erasure = Erasure(session: 1, id: [UInt8](repeating: 0, count: Erasure.idSize), revision: nil)
    var mark = ErasureMark.next(after: nil)
    try list.keep(mark, listed: 40)
    mark = .next(after: mark)
    try list.keep(mark, listed: 3)
    #expect(try list.mark()?.mark == mark && list.mark()?.listed == 40)
    #expect(try list.add([erasure]) == [41])
  }
}
