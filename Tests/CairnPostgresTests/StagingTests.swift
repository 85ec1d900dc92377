import CairnCore
import CairnPostgresTesting
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@testable import CairnPostgres

@Suite(.tags(.timing), .ownThreads) struct `Staged entries on PostgreSQL` {
  private func bench(_ journal: PostgresJournal) throws -> StoreBench {
    let bench = try StoreBench(journal)
    try bench.create("a")
    for page in 1...60 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "a") }
    return bench
  }

  /// The numbers of pages, sessions, tombstones and claims of staged entries.
  private func rows(_ journal: PostgresJournal) throws -> [Int] {
    let row = try journal.database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT (SELECT count(*) FROM @pages), (SELECT count(*) FROM @sessions), (SELECT count(*) FROM @tombstones),
          (SELECT count(*) FROM @tasks WHERE name LIKE 'import:%' AND until > 0)
        """, until: deadline
      ).first
    }
    return (0..<4).map { row?.integer($0) ?? -1 }
  }

  @Test func `a session in parts is as sound as any other, and other nodes read it`() throws {
    let schema = try TemporarySchema()
    let (journal, other) = (try schema.open(), try schema.open())
    defer { other.close() }
    let bench = try bench(journal)
    defer { bench.store.stop() }
    let copy = try StagedCopy(of: "a", as: "b", in: journal, every: 30)
    let place = try copy.stage(in: journal)
    #expect(try other.sessions.session("b") == nil && other.sessions.count() == 1 && rows(other).suffix(2) == [1, 1])
    #expect(try journal.writer.commit(JournalBatch(sessions: [copy.write(behind: place)])) == [:])
    #expect(try rows(other).suffix(3) == [2, 0, 0])
    #expect(try other.sessions.session("b")?.state == journal.sessions.session("a")?.state)
    for journal in [journal, other] {
      let check = try JournalCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) })
      #expect(check.faults == [] && check.sessions == 2)
    }
  }

  @Test func `of a node that has stopped between two parts, another one erases them`() throws {
    let schema = try TemporarySchema()
    let (journal, other) = (try schema.open(), try schema.open())
    defer { other.close() }
    let bench = try bench(journal)
    let before = try rows(journal)
    _ = try StagedCopy(of: "a", as: "b", in: journal, every: 30).stage(in: journal)
    #expect(try rows(journal) == [before[0] + 4, 1, 1, 1])
    bench.store.stop()
    try wait(for: "the erasing") { try rows(other) == before }
  }

  @Test func `parts whose claim has expired create no session, and further ones are refused`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    let bench = try bench(journal)
    defer { bench.store.stop() }
    let copy = try StagedCopy(of: "a", as: "b", in: journal, every: 30)
    let places = [try copy.stage(in: journal), try copy.stage(in: journal)]
    _ = try journal.database.read { (connection, deadline) throws(PostgresError) in
      try connection.run("UPDATE @tasks SET until = 1 WHERE name LIKE 'import:%'", until: deadline)
    }
    #expect(try journal.writer.commit(JournalBatch(sessions: [copy.write(behind: places[0])])) == ["b": .conflict(session: "b")])
    #expect(throws: JournalError.self) { try journal.writer.stage(copy.parts[0], at: places[1]) }
    #expect(try journal.sessions.session("b") == nil)
    try wait(for: "the erasing") { try rows(journal)[2] == 0 }
    #expect(try journal.sessions.count() == 1)
  }
}
