import CairnJournal
import CairnCore
import CairnStore
import CairnTesting
import Testing

@testable import CairnSQLite

/// The check of a database that a command imports (`cairn copy`, `cairn restore`).
@Suite(.tags(.timing), .ownThreads) struct `Contents of a database that a command brings in` {
  private let database: TemporaryDatabase

  init() throws {
    database = try TemporaryDatabase()
    let bench = try StoreBench(try database.open())
    try bench.create("a", label: "label")
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    let origin = EntryOrigin(author: "eve", request: "r-1")
    _ = try awaiting { bench.store.post([Trial.page(1)], to: "a", origin: origin, reply: $0) }.get()
    try bench.migrate("a")
    bench.store.stop()
  }

  private func faults(
    definition: @escaping @Sendable (PinnedDefinition) -> String? = { _ in nil },
    line: @escaping @Sendable (String) -> String? = { _ in nil },
    author: @escaping @Sendable (String) -> String? = { _ in nil }, request: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws -> [String] {
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    let importChecks = ImportChecks(definition: definition, line: line, session: { _ in nil }, author: author, request: request)
    return try DatabaseCheck(journal, opensSecrets: true, importChecks: importChecks, definitions: { try Trial.read($0) }).faults
  }

  @Test func `each definition, label, author and request passes the checks of an import`() throws {
    #expect(try faults() == [])
    let first = Trial.pinned().hash
    #expect(try faults(definition: { $0.hash == first ? "is too fast" : nil }) == ["definition \(first) of trial: is too fast"])
    #expect(try faults(line: { "is \($0)" }) == ["session a: its label is label"])
    #expect(try faults(author: { "is \($0)" }).map { $0.hasSuffix("its author is eve") } == [true])
    #expect(try faults(request: { "is \($0)" }).map { $0.hasSuffix("the id of its request is r-1") } == [true])
  }

  @Test func `the check ends when it is interrupted`() throws {
    let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    defer { journal.close() }
    #expect(throws: JournalError.closed) {
      try DatabaseCheck(journal, opensSecrets: true, while: { false }, definitions: { try Trial.read($0) })
    }
  }
}
