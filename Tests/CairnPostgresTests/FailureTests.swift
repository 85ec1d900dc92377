import CairnCore
import CairnJournal
@testable import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import Glibc
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commits without a confirmation` {
  /// The pages that were accepted before the first fault, and whether the fault is `uncertain`.
  private struct Faulted {
    var accepted: [Int]
    var isUncertain: Bool
  }

  /// A store with one session on a separate server.
  private func bench(_ server: PostgresServer, timeout: Duration) throws -> StoreBench {
    let target = try PostgresTarget(server.url())
    let bench = try StoreBench(PostgresJournal(target, keys: [[UInt8](repeating: 7, count: 32)], commitTimeout: timeout))
    try bench.create("s")
    return bench
  }

  /// Requires a standby that does not exist, and posts one page after the other until a post fails, because some commits can precede the new setting.
  private func loseStandby(of server: PostgresServer, _ bench: StoreBench) throws -> Monitor<Faulted?> {
    try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
    let faulted = Monitor<Faulted?>(nil)
    @Sendable func post(_ number: Int) {
      bench.store.post([Trial.page(number)], to: "s") { result in
        switch result {
        case .success: post(number + 1)
        case .failure(let fault):
          let isUncertain = if case .uncertain = fault { true } else { false }
          faulted.change { $0 = Faulted(accepted: Array(0..<number), isUncertain: isUncertain) }
        }
      }
    }
    post(1)
    return faulted
  }

  private func regainStandby(of server: PostgresServer) throws {
    try server.sql("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
  }

  @Test func `a commit that no standby confirms is uncertain, and has happened once when the database resumes`() throws {
    let server = try PostgresServer()
    let bench = try bench(server, timeout: .seconds(1))
    defer { bench.store.stop() }
    let faulted = try loseStandby(of: server, bench).wait(for: "a post that fails") { $0 }
    #expect(faulted.isUncertain)
    try regainStandby(of: server)
    // The request was sent once or twice. The following requests prove that it was performed once.
    let pages = faulted.accepted + [faulted.accepted.count, 1_000]
    #expect(try bench.post(Trial.page(1_000), to: "s").session.state.revision == pages.count)
    #expect(try bench.session("s").pages == pages)
    #expect(try bench.history(of: "s").items.map(\.entry.revision) == Array(1...pages.count))
    // The name of the uncertain commit is not used again, so later commits are accepted.
    #expect(try bench.post(Trial.page(1_001), to: "s").session.state.revision == pages.count + 1)
  }

  @Test func `a commit whose wait for a standby was cancelled is not acknowledged`() throws {
    let server = try PostgresServer()
    let bench = try bench(server, timeout: .seconds(30))
    defer { bench.store.stop() }
    let faulted = try loseStandby(of: server, bench)
    try wait(for: "the commit's wait for a standby") {
      // Cancels only the writer's connection, because the housekeeping may wait too.
      try server.sql(
        "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'cairn/commits'")
        != "0"
    }
    let found = try faulted.wait(for: "a post that fails") { $0 }
    #expect(found.isUncertain)
    try regainStandby(of: server)
    #expect(try bench.session("s").pages == found.accepted + [found.accepted.count])
  }
}

@Suite(.tags(.timing), .ownThreads) struct `A lock that a stranger holds` {
  /// A client that is not part of Cairn locks the rows of the table of heads, or the whole table.
  @Test(arguments: ["SELECT FROM @heads FOR UPDATE", "LOCK TABLE @heads"])
  func `fails a post after one wait, and the log names the process`(statement: String) throws {
    let schema = try TemporarySchema()
    let journal = try schema.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b", "c"] { try bench.create(id) }
    let stranger = PostgresConnection(schema.target, for: "stranger")
    try stranger.script("BEGIN; \(statement)", until: TestTimeout.deadline)
    #expect(try bench.fault(Trial.page(1), to: "a")?.word == "storage")
    #expect(journal.database.lockWaits.count == 1)
    let told = bench.events.compactMap { if case .journalFailed(.io(let text)) = $0 { text } else { nil } }
    #expect(told.count == 1 && told[0].contains("cairn/stranger") && told[0].contains("user cairn"), "\(bench.events)")
    try stranger.script("ROLLBACK", until: TestTimeout.deadline)
    try wait(for: "a post") { try bench.fault(Trial.page(1), to: "a") == nil }
    #expect(try bench.session("b").pages == [0])
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Nodes that no longer report` {
  private func claimed(_ journal: PostgresJournal) throws -> [String] { try journal.writer.claimEffects(until: .max).map(\.id).sorted() }

  @Test func `the effects of a node that was killed are taken over after its lease, once the others have had time to report`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    let bench = try StoreBench(one)
    defer {
      bench.store.stop()
      other.close()
    }
    for id in ["a", "b"] {
      try bench.create(id)
      try bench.post(Trial.step("sleep"), to: id)
    }
    one.housekeeping.stop()
    other.housekeeping.stop()
    try schema.sql("UPDATE @nodes SET seen_at = now() - interval '16 s' WHERE run = \(one.database.node)")
    // The database was unavailable for both nodes, so the other node has only just become alive again.
    try schema.sql("UPDATE @nodes SET alive_since = now() WHERE run = \(other.database.node)")
    #expect(try claimed(other) == [])
    try schema.sql("UPDATE @nodes SET alive_since = now() - interval '11 s' WHERE run = \(other.database.node)")
    #expect(try claimed(other) == ["a", "b"])
    #expect(try schema.sql("SELECT count(*) FROM @effects WHERE run = \(other.database.node)") == "2")
  }

  @Test func `a node that commits to a session does not touch the effects of another node`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    try nodes.a.post(Trial.step("fetch"), to: "s")
    try nodes.b.post(Trial.page(1), to: "s")
    #expect(try claimed(nodes.journals[1]) == [])
    #expect(try claimed(nodes.journals[0]) == [])
  }

  @Test func `ended effects and those of deleted sessions leave no row`() throws {
    let schema = try TemporarySchema()
    let bench = try StoreBench(try schema.open())
    defer { bench.store.stop() }
    for id in ["a", "b"] {
      try bench.create(id)
      try bench.post(Trial.step("sleep"), to: id)
    }
    #expect(try schema.sql("SELECT count(*) FROM @effects") == "2")
    try bench.delete("a")
    #expect(try schema.sql("SELECT count(*) FROM @effects") == "1")
    bench.clock.advance(by: 60_000)
    try bench.settle()
    #expect(try bench.session("b").state.effects.isEmpty)
    #expect(try schema.sql("SELECT count(*) FROM @effects") == "0")
  }

  @Test func `one node at a time performs a task for all, and another after a clean stop`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    #expect(try one.cluster.claim(.expiry, for: 60_000))
    #expect(try one.cluster.claim(.expiry, for: 60_000))
    #expect(try !other.cluster.claim(.expiry, for: 60_000))
    #expect(try other.cluster.claim(.sampling, for: 60_000))
    one.close()
    #expect(try other.cluster.claim(.expiry, for: 60_000))
    other.close()
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Changes of other nodes` {
  @Test func `a reader that was away for too long learns that changes are missing`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    let bench = try StoreBench(one)
    defer {
      bench.store.stop()
      other.close()
    }
    try bench.create("s")
    let place = try other.cluster.changes(after: nil)
    #expect(place.changes.isEmpty && place.isLacking, "what came before is unknown")
    try bench.create("t")
    let first = try other.cluster.changes(after: place.cursor)
    #expect(first.changes == [SessionChange("t", revision: 1)] && !first.isLacking)
    for number in 1...3 { try bench.post(Trial.page(number), to: "s") }
    try schema.sql("DELETE FROM @changes WHERE run = \(one.database.node) AND number = 3")
    let next = try other.cluster.changes(after: first.cursor)
    #expect(next.changes.map(\.revision) == [3, 4] && next.isLacking)
    #expect(try !other.cluster.changes(after: next.cursor).isLacking)
  }

  @Test func `a commit of a run that had none before is not missed, however late it becomes visible`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    let bench = try StoreBench(one)
    defer {
      bench.store.stop()
      other.close()
    }
    let cursor = try other.cluster.changes(after: nil).cursor
    try bench.create("s")
    try schema.sql("UPDATE @changes SET at = now() - interval '1 min'")
    #expect(try other.cluster.changes(after: cursor).changes.map(\.revision) == [1])
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Servers and formats` {
  @Test func `a server that is off does not keep a node from the next one`() throws {
    // The first server accepts connections and never answers.
    let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(silent) }
    let port = try PostgresServer.listen(silent)
    let server = try PostgresServer.shared.get()
    let target = try PostgresTarget("postgres://cairn@127.0.0.1:\(port),127.0.0.1:\(server.port)/postgres")
    let connection = PostgresConnection(target, for: "test")
    defer { connection.close() }
    let deadline = Monotonic.deadline(after: .seconds(2))
    #expect(try connection.run("SELECT 7", until: deadline).first?.integer(0) == 7)
  }

  @Test func `tables that a newer version has migrated are refused`() throws {
    let schema = try TemporarySchema()
    try schema.open().close()
    try schema.sql("INSERT INTO @migrations (number, name) VALUES (99, 'later')")
    let error = #expect(throws: PostgresJournalError.self) { try schema.open() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("format 99"))
  }

  @Test(arguments: [
    "INSERT INTO @sessions (id, app, created_at, secret_hash, manual) VALUES ('a', 'trial', 5, '\\x00', false)",
    "INSERT INTO @editions VALUES ('trial', 1, 'hash', 5)",
  ])
  func `tables with sessions or editions of an earlier form are refused with the remedy`(row: String) throws {
    let schema = try TemporarySchema()
    try schema.open().close()
    try schema.sql("DELETE FROM @migrations WHERE number > 3")
    try schema.sql("DROP TABLE @documents")
    try schema.sql("CREATE TABLE @editions (app text, number bigint, definition text, since bigint)")
    try schema.sql(row)
    let error = #expect(throws: PostgresJournalError.self) { try schema.open() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("start on another schema or database"))
  }
}
