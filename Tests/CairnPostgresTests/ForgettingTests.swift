import CairnCore
import CairnJournal
import CairnPostgresTesting
import CairnStore
import CairnTesting
import Testing

@testable import CairnPostgres

@Suite(.tags(.timing), .ownThreads) struct `Forgotten history on PostgreSQL` {
  /// The numbers of pages, snapshots, forgotten parts of history and deleted sessions that have not been erased yet.
  private func rows(_ journal: PostgresJournal) throws -> [Int] {
    let row = try journal.database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT (SELECT count(*) FROM @pages), (SELECT count(*) FROM @snapshots), (SELECT count(*) FROM @forgotten), (SELECT count(*) FROM @tombstones)",
        until: deadline
      ).first
    }
    return (0..<4).map { row?.integer($0) ?? -1 }
  }

  @Test(arguments: [nil, 50]) func `the rows of forgotten history are deleted soon, and the rest is sound`(before: Int?) throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...60 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "a") }
    let newest = try bench.session("a").state.revision
    let first = try awaiting { bench.store.forget("a", before: before, reply: $0) }.get()
    #expect(first == before ?? newest)
    try wait(for: "the deletion of the rows") { try rows(journal)[2] == 0 }
    // Each commit has two entries, and the one that spans the beginning keeps the rest of its page.
    let left = try rows(journal)
    #expect(left[0] == (newest - first + 1) / 2 && left[1] >= 1)
    #expect(try bench.history(of: "a").items.count == newest - first)
    let check = try JournalCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) })
    #expect(check.faults == [] && check.sessions == 1)
  }

  @Test func `the rows of a deleted session are deleted soon, also if its history was forgotten just before`() throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b"] {
      try bench.create(id)
      for page in 1...20 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: id) }
    }
    _ = try awaiting { bench.store.forget("a", before: 9, reply: $0) }.get()
    for id in ["a", "b"] { try bench.delete(id) }
    try wait(for: "the deletion of the rows") { try rows(journal) == [0, 0, 0, 0] }
  }
}
