import CairnCore
import CairnJournal
import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnSQLite
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Copying a SQLite database` {
  private let key = [UInt8](repeating: 7, count: 32)

  /// A database with some sessions, one of them long, with secrets, stored responses, timers and deleted sessions.
  private func made(in folder: URL) throws -> SQLiteJournal {
    let path = folder.appending(path: "a.sqlite").path
    let bench = try StoreBench(try SQLiteJournal(path: path, keys: [key]))
    for number in 0..<100 { try bench.create("s\(number)") }
    for number in 1...700 { try bench.post(Trial.page(number), to: "s3") }
    try bench.post(Trial.step("sleep"), to: "s4")
    try bench.post(Trial.step("openSafe", ["pin": "a pin"]), to: "s5")
    try bench.createOnce("once", print: Fingerprint(Array(repeating: 5, count: 16)))
    try bench.createOnce("spent", print: Fingerprint(Array(repeating: 6, count: 16)))
    try bench.delete("spent")
    bench.store.stop()
    return try SQLiteJournal(inspecting: path, keys: [key])
  }

  private func target(_ schema: TemporarySchema, for source: SQLiteJournal) throws -> PostgresJournal {
    let keys = JournalKeys(derivation: source.derivationKey, hash: source.hashKey.bytes)
    return try PostgresJournal(schema.target, keys: [key], for: .copy(keys: keys))
  }

  @Test func `a copy that is interrupted again and again is complete in the end, and the same`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = try made(in: folder)
    defer { source.close() }
    let schema = try TemporarySchema()
    var interruptions = 0
    while true {
      let target = try target(schema, for: source)
      defer { target.close() }
      // Each attempt copies a little more than the previous one.
      var left = 3 + 25 * interruptions
      var copy = JournalCopy(
        from: source, to: target,
        while: {
          left -= 1
          return left >= 0
        }, told: { _, _ in })
      do {
        _ = try copy.run()
        break
      } catch is JournalCopy.Interrupted {
        interruptions += 1
        // No service can open the database before the copy is complete.
        let error = #expect(throws: PostgresJournalError.self) { try schema.open() }
        #expect("\(error.map { "\($0)" } ?? "")".contains("incomplete"))
      }
    }
    #expect(interruptions > 3)
    let copied = try schema.open()
    defer { copied.close() }
    let ids = try source.sessions.roster(after: 0, limit: 1_000).map(\.id)
    #expect(ids.count == 101)
    #expect(try copied.sessions.roster(after: 0, limit: 1_000).map(\.id) == ids)
    for id in ids {
      #expect(try copied.sessions.session(id) == source.sessions.session(id))
      #expect(try copied.history.entries(of: id, after: 0, limit: 2_000) == source.history.entries(of: id, after: 0, limit: 2_000))
      #expect(try copied.sessions.secret(.token, of: id) == source.sessions.secret(.token, of: id))
      #expect(try copied.answers.answer(.creation, of: id) == source.answers.answer(.creation, of: id))
    }
    #expect(try copied.sessions.secret(.param(512), of: "s5") == "a pin")
    #expect(try copied.answers.answer(.creation, of: "spent")?.content.status == 0)
    #expect(try copied.writer.claimEffects(until: .max).map(\.id) == ["s4"])
    #expect(copied.derivationKey == source.derivationKey)
    let check = try JournalCheck(copied, opensSecrets: true) { try Trial.read($0) }
    #expect(check.faults == [] && check.sessions == 101)
    #expect(throws: PostgresJournalError.self) { try target(schema, for: source) }
  }

  @Test func `a session that has moved has its definition at each revision in the copy, and the documents are there`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.sqlite").path
    let bench = try StoreBench(try SQLiteJournal(path: path, keys: [key]))
    let (first, second) = (Trial.pinned(), Trial.second())
    try bench.create("s")
    try bench.create("t")
    try bench.keep(Trial.migration(from: first, to: second))
    try bench.keep(Trial.migration(from: second, to: first))
    // The entries of the session are copied in pages of 500. The last entries of the first two pages have another definition than the session.
    for number in 1...1_300 {
      if number == 700 || number == 1_200 { try bench.migrate("s", to: second) }
      if number == 900 { try bench.migrate("s", to: first) }
      try bench.post(number % 100 == 0 ? Trial.page(number) : Trial.step(number % 2 == 0 ? "quiet" : "sleep"), madeFor: first.hash, to: "s")
    }
    try bench.migrate("t", to: second)
    let rollout = Rollout(
      app: "trial", from: first.hash, to: second.hash, share: 500, moment: nil, rate: 1, isDryRun: false, since: 5, author: "alice")
    let begun = try awaiting { bench.store.releases.keep(rollout, after: 0, reply: $0) }.get()
    bench.store.stop()
    let source = try SQLiteJournal(inspecting: path, keys: [key])
    defer { source.close() }
    let schema = try TemporarySchema()
    var interruptions = 0
    while true {
      let target = try target(schema, for: source)
      defer { target.close() }
      var left = 2 + interruptions
      var copy = JournalCopy(
        from: source, to: target,
        while: {
          left -= 1
          return left >= 0
        }, told: { _, _ in })
      do {
        _ = try copy.run()
        break
      } catch is JournalCopy.Interrupted {
        interruptions += 1
      }
    }
    #expect(interruptions > 1)
    let copied = try schema.open()
    defer { copied.close() }
    for id in ["s", "t"] { #expect(try copied.sessions.session(id) == source.sessions.session(id)) }
    for revision in stride(from: 1, through: 1_304, by: 21) {
      let (one, other) = (try copied.history.past(of: "s", at: revision), try source.history.past(of: "s", at: revision))
      #expect(one?.definition == other?.definition && one?.state == other?.state && one != nil, "revision \(revision)")
    }
    #expect(try copied.documents.migrations(of: "trial") == source.documents.migrations(of: "trial"))
    #expect(
      try copied.documents.rollouts() == source.documents.rollouts() && copied.documents.rollouts().intact.map(\.share) == [begun.share])
    #expect(
      try copied.documents.migrations(of: "trial").count == 2 && copied.sessions.uses(of: "trial") == source.sessions.uses(of: "trial"))
    let check = try JournalCheck(copied, opensSecrets: true) { try Trial.read($0) }
    #expect(check.faults == [])
  }

  @Test func `a changed row is found by a check`() throws {
    let schema = try TemporarySchema()
    let bench = try StoreBench(try schema.open())
    for id in ["a", "b"] {
      try bench.create(id)
      try bench.post(Trial.page(1), to: id)
    }
    bench.store.stop()
    try schema.sql("UPDATE @pages SET body = set_byte(body, length(body) - 3, 65) WHERE session = 1 AND revision = 2")
    let journal = try PostgresJournal(schema.target, keys: nil, for: .inspection)
    defer { journal.close() }
    let check = try JournalCheck(journal, opensSecrets: false) { try Trial.read($0) }
    #expect(check.damaged == ["a"] && check.faults.count == 1)
  }

  @Test(arguments: ["edition", "migration", "rollout"]) func `a missing document is found by a check`(kind: String) throws {
    let schema = try TemporarySchema()
    let bench = try StoreBench(try schema.open())
    let (first, second) = (Trial.pinned(), Trial.second())
    // The second call replaces the row.
    for _ in 1...2 { try bench.keep(Trial.migration(from: first, to: second)) }
    try bench.keep(Trial.migration(from: second, to: first))
    for version in 0...1 {
      let rollout = Rollout(app: "trial", from: first.hash, to: second.hash, moment: nil, rate: 1, isDryRun: true, since: 5, author: "eve")
      _ = try awaiting { bench.store.releases.keep(rollout, after: version, reply: $0) }
    }
    bench.store.stop()
    let journal = try PostgresJournal(schema.target, keys: nil, for: .inspection)
    defer { journal.close() }
    #expect(try journal.missingRows() == [])
    try schema.sql("DELETE FROM @documents WHERE ctid = (SELECT ctid FROM @documents WHERE kind = '\(kind)' LIMIT 1)")
    #expect(try journal.missingRows().count == 1)
  }

  @Test func `a session whose head has another definition than its entries is found by a check`() throws {
    let schema = try TemporarySchema()
    let bench = try StoreBench(try schema.open())
    for id in ["a", "b", "c"] { try bench.create(id) }
    try bench.keep(Trial.migration(from: Trial.pinned(), to: Trial.second()))
    for id in ["a", "b"] { try bench.migrate(id) }
    bench.store.stop()
    func check() throws -> JournalCheck {
      let journal = try PostgresJournal(schema.target, keys: nil, for: .inspection)
      defer { journal.close() }
      return try JournalCheck(journal, opensSecrets: false) { try Trial.read($0) }
    }
    #expect(try check().faults == [])
    try schema.sql("UPDATE @heads SET definition = 'hash-of-trial' WHERE session = 1")
    try schema.sql("UPDATE @heads SET definition = 'second-hash-of-trial' WHERE session = 3")
    #expect(try check().faults == ["a", "c"].map { "session \($0): the definition of its head differs from that of its entries" })
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Migrations by a command` {
  @Test func `a role that may not create tables runs on those that another role has made`() throws {
    let server = try PostgresServer.shared.get()
    let schema = try TemporarySchema()
    let role = "node_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    try server.sql("CREATE ROLE \(role) LOGIN", "REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
    let target = try PostgresTarget("postgres://\(role)@127.0.0.1:\(server.port)/postgres", schema: schema.target.schema)
    let keys = [[UInt8](repeating: 7, count: 32)]
    #expect(throws: PostgresJournalError.self) { try PostgresJournal(target, keys: keys) }
    let printed = try PostgresMigration.statements(schema.target, erasures: nil, grantingTo: role)
    #expect(printed.contains("CREATE TABLE \"\(schema.target.schema)\".heads") && printed.contains("GRANT USAGE"))
    #expect(try PostgresMigration.run(schema.target, erasures: nil, grantingTo: role) == 6)
    #expect(try PostgresMigration.run(schema.target, erasures: nil, grantingTo: role) == 0)
    let bench = try StoreBench(try PostgresJournal(target, keys: keys))
    defer { bench.store.stop() }
    try bench.create("s")
    #expect(try bench.post(Trial.page(1), to: "s").session.pages == [0, 1])
    try bench.delete("s")
  }
}
