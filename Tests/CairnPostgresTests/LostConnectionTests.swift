import CairnCore
import CairnJournal
import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commits whose connection is lost` {
  /// A store whose journal reaches the database through a proxy.
  private func bench(_ proxy: CuttingProxy, _ schema: TemporarySchema) throws -> StoreBench {
    let target = try PostgresTarget("postgres://cairn@127.0.0.1:\(proxy.port)/postgres", schema: schema.target.schema)
    // The journal sends no signals, because a signal could be cut instead of a commit.
    return try StoreBench(try PostgresJournal(target, keys: [schema.key], isSignaling: false, commitTimeout: .seconds(4)))
  }

  @Test(
    arguments: [false, true].flatMap { isOfAnswer in
      [0, 7, 100].map { CuttingProxy.Cut(isOfAnswer: isOfAnswer, bytes: $0) } + [CuttingProxy.Cut(isOfAnswer: isOfAnswer, isSilent: true)]
    })
  func `a commit is answered and happens once, wherever its connection is cut or falls silent`(cut: CuttingProxy.Cut) throws {
    let schema = try TemporarySchema()
    let proxy = try CuttingProxy(to: try PostgresServer.shared.get().port)
    let bench = try bench(proxy, schema)
    defer { bench.store.stop() }
    try bench.create("s")
    // Prepares the statement, so that the next message of the commit is its execution.
    try bench.post(Trial.page(1), to: "s")
    proxy.cutNext(cut)
    let posted = try bench.post(Trial.page(2), to: "s")
    #expect(proxy.hasCut)
    #expect(posted.session.state.revision == 3)
    #expect(try bench.post(Trial.page(3), to: "s").session.state.revision == 4)
    #expect(try bench.history(of: "s", limit: 10).items.map(\.entry.revision) == [1, 2, 3, 4])
  }

  @Test func `a creation whose answer is lost creates one session`() throws {
    let schema = try TemporarySchema()
    let proxy = try CuttingProxy(to: try PostgresServer.shared.get().port)
    let bench = try bench(proxy, schema)
    defer { bench.store.stop() }
    try bench.create("one")
    proxy.cutNext(CuttingProxy.Cut(isOfAnswer: true))
    try bench.create("two")
    #expect(proxy.hasCut)
    #expect(try bench.post(Trial.page(1), to: "two").session.state.revision == 2)
    #expect(try bench.journalCount() == 2)
  }

  @Test func `a document whose answer is lost is found by a second attempt, and is uncertain if there can be none`() throws {
    let schema = try TemporarySchema()
    let proxy = try CuttingProxy(to: try PostgresServer.shared.get().port)
    let target = try PostgresTarget("postgres://cairn@127.0.0.1:\(proxy.port)/postgres", schema: schema.target.schema)
    let journal = try PostgresJournal(target, keys: [schema.key], isSignaling: false)
    defer { journal.close() }
    func store(_ name: String) throws(JournalError) {
      try journal.documents.store([DocumentChange(.migration, app: "trial", name: name, known: 0, body: "{}")], texts: [:])
    }
    // Prepares the statement, so that the next call only executes it.
    try store("first")
    proxy.cutNext(CuttingProxy.Cut(isOfAnswer: true, request: "second"))
    try store("second")
    #expect(proxy.hasCut)
    #expect(try journal.documents.documents(DocumentQuery(.migration)).map(\.name) == ["first", "second"])
    proxy.cutNext(CuttingProxy.Cut(isOfAnswer: true, isLast: true, request: "third"))
    #expect(throws: JournalError.uncertain) { try store("third") }
    #expect(proxy.hasCut)
    // Nothing was sent, because there is no connection.
    #expect { try store("fourth") } throws: { if case .io = $0 as? JournalError { true } else { false } }
  }
}

extension StoreBench {
  fileprivate func journalCount() throws -> Int {
    try awaiting { store.sessions(SessionQuery(limit: 10), as: { ($0.id, 1) }, reply: $0) }.get().items.count
  }
}

@Suite struct `Databases that cannot be used` {
  private func failure(_ url: String, schema: String = "cairn", keys: [[UInt8]] = [[UInt8](repeating: 7, count: 32)]) throws -> String {
    let target = try PostgresTarget(url, schema: schema)
    do {
      try PostgresJournal(target, keys: keys).close()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `the reason is reported in one line, without the password`() throws {
    let port = try PostgresServer.shared.get().port
    let refused = try failure("postgres://cairn:secret-word@127.0.0.1:1/postgres")
    #expect(refused.contains("cannot be reached") && !refused.contains("secret-word") && !refused.contains("\n"))
    let unknown = try failure("postgres://cairn:secret-word@127.0.0.1:\(port)/nowhere")
    #expect(unknown.contains("nowhere") && !unknown.contains("secret-word") && !unknown.contains("\n"))
    #expect("\(try PostgresTarget("postgres://cairn:secret-word@h/d"))".contains("secret-word") == false)
    #expect(throws: PostgresTarget.Invalid.self) { try PostgresTarget("postgres://cairn@h/d?no=such") }
    #expect(throws: PostgresTarget.Invalid.self) { try PostgresTarget("postgres://cairn@h/d", schema: "a\"b") }
  }

  @Test func `a wrong password, a missing TLS, a read-only server and settings that lose data are reported at the start`() throws {
    let server = try PostgresServer(settings: "-c fsync=off")
    try server.sql(
      "CREATE ROLE locked LOGIN PASSWORD 'right-word'", "CREATE ROLE reader LOGIN",
      "ALTER ROLE reader SET default_transaction_read_only = on")
    func reason(_ user: String, _ rest: String = "") throws -> String { try failure(server.url(user: user) + rest) }
    let wrong = try reason("locked:secret-word")
    #expect(wrong.contains("password authentication failed") && !wrong.contains("secret-word") && !wrong.contains("\n"))
    #expect(try reason("cairn", "?sslmode=require").contains("does not support SSL"))
    #expect(try reason("reader").contains("read-only"))
    #expect(try reason("cairn").contains("fsync=off"))
    let careful = try PostgresServer()
    try careful.sql("CREATE ROLE hasty LOGIN SUPERUSER", "ALTER ROLE hasty SET synchronous_commit = off")
    #expect(try failure(careful.url(user: "hasty")).contains("synchronous_commit=off"))
    let target = try PostgresTarget(server.url(), schema: "accepted")
    try PostgresJournal(target, keys: [[UInt8](repeating: 7, count: 32)], acceptsLoss: true).close()
  }

  @Test func `a node with another secret key is refused`() throws {
    let schema = try TemporarySchema()
    try schema.open().close()
    let url = try PostgresServer.shared.get().url()
    let reason = try failure(url, schema: schema.target.schema, keys: [[UInt8](repeating: 8, count: 32)])
    #expect(reason.contains("another secret key"))
  }

  @Test func `nodes that start together create the tables once`() throws {
    let schema = try TemporarySchema()
    let faults = Lock<[String]>([])
    let threads = try (0..<6).map { number in
      try NamedThread("node-\(number)") {
        do {
          try schema.open().close()
        } catch {
          faults.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(faults.withLock { $0 } == [])
  }

  @Test func `stores in two schemas of one database share no session`() throws {
    let (one, other) = (try TemporarySchema(), try TemporarySchema())
    let a = try StoreBench(try one.open())
    let b = try StoreBench(try other.open())
    defer {
      a.store.stop()
      b.store.stop()
    }
    try a.create("s")
    #expect(throws: StoreFault.self) { try b.session("s") }
    try b.create("s")
    #expect(try a.post(Trial.page(1), to: "s").session.state.revision == 2)
    #expect(try b.session("s").state.revision == 1)
  }
}
