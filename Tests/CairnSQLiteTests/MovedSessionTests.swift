import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Moved sessions in a SQLite database` {
  private let database: TemporaryDatabase
  private let hashes: [String]
  private let pages: [Int]

  /// Creates the session `a`, which has moved six times between 120 pages, and the session `b`, which has not moved.
  init() throws {
    database = try TemporaryDatabase()
    let bench = try StoreBench(try database.open())
    let versions = [Trial.pinned(), Trial.second()]
    for id in ["a", "b"] { try bench.create(id) }
    try bench.keep(Trial.migration(from: versions[0], to: versions[1]))
    try bench.keep(Trial.migration(from: versions[1], to: versions[0]))
    var hashes = [versions[0].hash]
    for number in 1...120 {
      if number % 20 == 0 {
        let moved = try bench.migrate("a", to: versions[number / 20 % 2])
        hashes.append(moved.session.definition.hash)
      }
      try bench.post(Trial.page(number), madeFor: versions[0].hash, to: "a")
      try bench.post(Trial.page(number), to: "b")
      hashes.append(hashes[hashes.count - 1])
    }
    bench.store.stop()
    self.hashes = hashes
    pages = [0] + Array(1...120)
  }

  private func faults(_ database: TemporaryDatabase) throws -> [String] {
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    return try DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults
  }

  private func change(_ sql: String) throws {
    try database.change(sql)
  }

  @Test func `a database has no faults, and after reopening each revision has its definition`() throws {
    #expect(try faults(database) == [])
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    #expect(try bench.session("a").definition.hash == hashes.last && bench.session("a").pages == pages)
    #expect(hashes.count == 127)
    for (index, hash) in hashes.enumerated() { #expect(try bench.session("a", at: index + 1).definition.hash == hash) }
    #expect(try bench.session("b").definition.hash == Trial.pinned().hash && bench.session("b").pages == pages)
    let documents = try awaiting { bench.store.releases.migrations(of: "trial", reply: $0) }.get()
    #expect(documents.map(\.to) == [Trial.second().hash, Trial.pinned().hash])
  }

  @Test func `the files of a killed process have the session before or after its move`() throws {
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    try bench.undo("a", to: 1)
    let before = try database.crashed()
    try bench.migrate("a")
    let after = try database.crashed()
    for (copy, definition) in [(before, Trial.pinned()), (after, Trial.second())] {
      #expect(try faults(copy) == [])
      let bench = try StoreBench(try copy.open())
      #expect(try bench.session("a").definition.hash == definition.hash && bench.session("a").pages == [0])
      bench.store.stop()
    }
  }

  @Test(arguments: [
    "UPDATE heads SET definition = 'second-hash-of-trial' WHERE session = 2",
    "UPDATE heads SET definition = CASE definition WHEN 'hash-of-trial' THEN 'second-hash-of-trial' ELSE 'hash-of-trial' END WHERE session = 1",
    "UPDATE entries SET definition = NULL WHERE session = 1 AND revision > 1 AND definition IS NOT NULL",
    "UPDATE entries SET definition = 'second-hash-of-trial' WHERE session = 2 AND revision = 50",
    "UPDATE snapshots SET definition = 'second-hash-of-trial' WHERE session = 2",
    "UPDATE documents SET body = replace(body, 'trial', 'tribe') WHERE kind = 'migration'",
    "UPDATE documents SET version = version + 1 WHERE kind = 'migration'",
  ])
  func `a changed definition or document is found`(sql: String) throws {
    try change(sql)
    #expect(try !faults(database).isEmpty)
  }
}
