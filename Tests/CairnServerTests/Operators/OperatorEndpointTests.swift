import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

/// The endpoints of operators without a connection: each is a function that returns or throws.
@Suite(.ownThreads) struct `Operators' endpoints, called directly` {
  /// A service with two definitions of one app, of which the first is served.
  private final class Stand: Sendable {
    let store: Store
    let service: CairnServer.Service
    let first, second: String

    init() throws {
      store = Store(
        journal: MemoryJournal(), outbound: StubOutbound(),
        definitions: { PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0)) },
        migrations: MigrationReading.migrator, nonce: Identity.nonce)
      try store.start()
      service = Service(store: store, catalog: Catalog(), settings: Settings(), log: Workshop.logger(Lines()))
      first = try Self.put(Kiosk.first, isServed: true, service)
      second = try Self.put(Kiosk.second, isServed: false, service)
    }

    deinit {
      service.publisher.stop()
      store.stop()
    }

    private static func put(_ text: String, isServed: Bool, _ service: CairnServer.Service) throws -> String {
      try AwaitedReply.value(orElse: Rejection(StoreFault.stopping)) { reply in
        var put = PutDefinition(app: "kiosk", text: text, author: "eve", match: nil, noneMatch: nil, requestID: "r", reply: reply)
        put.isServed = isServed
        service.publisher.put(put)
      }.definition.hash
    }

    /// Begins a rollout to the second definition.
    func start(_ members: String = "", app: String = "kiosk") throws -> Rollout {
      let request = try JSONBody.read(Array(#"{"to":"\#(second)"\#(members)}"#.utf8)) { body throws(BodyFault) in try RolloutRequest(body) }
      return try service.rollouts.start(request, .init(app: app, author: "eve", requestID: "r"))
    }

    func perform(_ operation: Rollout.Operation) throws -> Rollout.State {
      try service.rollouts.perform(operation, .init(app: "kiosk", author: "eve", requestID: "r")).state
    }
  }

  private func code(_ run: () throws -> Void) -> String? {
    do {
      try run()
      return nil
    } catch {
      return (error as? Rejection)?.problem.code
    }
  }

  @Test func `a rollout begins, pauses, goes on and is taken back`() throws {
    let stand = try Stand()
    #expect(code { _ = try stand.perform(.pause) } == "not-found", "there was none")
    let rollout = try stand.start(#","share":"10%""#)
    #expect((rollout.from, rollout.to) == (stand.first, stand.second))
    #expect((rollout.state, rollout.version, rollout.author) == (.running, 1, "eve"))
    #expect(code { _ = try stand.start() } == "rollout-active")
    #expect(code { _ = try stand.perform(.resume) } == "rollout-active", "it is running")
    #expect(try stand.perform(.pause) == .paused)
    #expect(try stand.perform(.resume) == .running)
    #expect(try stand.perform(.stop) == .stopped)
    #expect(try stand.perform(.revert) == .reverting)
  }

  @Test func `a rollout of the whole share serves the app with its definition, and a revert with the old one`() throws {
    let stand = try Stand()
    _ = try stand.start()
    #expect(try stand.service.definitions.versions(of: "kiosk").versions.first { $0.current }?.definition == stand.second)
    _ = try stand.perform(.revert)
    #expect(try stand.service.definitions.versions(of: "kiosk").versions.first { $0.current }?.definition == stand.first)
  }

  @Test func `an app or a definition that is not known is not found`() throws {
    let stand = try Stand()
    #expect(code { _ = try stand.start(app: "other") } == "not-found")
    #expect(code { _ = try stand.service.definitions.versions(of: "other") } == "not-found")
    #expect(code { _ = try stand.service.migrations.migrations(of: "other") } == "not-found")
    #expect(try stand.service.migrations.migrations(of: "kiosk").migrations.isEmpty)
  }

  @Test func `a migration is stored under the name of the operator`() throws {
    let stand = try Stand()
    let migrations = stand.service.migrations
    let stored = try migrations.put(.init(app: "kiosk", from: stand.first, to: stand.second, text: Kiosk.migration), by: "eve")
    #expect((stored.from, stored.to, stored.author) == (stand.first, stand.second, "eve"))
    #expect(try migrations.migrations(of: "kiosk").migrations.map(\.by) == ["eve"])
    #expect(code { _ = try migrations.put(.init(app: "kiosk", from: stand.first, to: stand.first, text: ""), by: "eve") } == "invalid")
    #expect(
      code { _ = try migrations.put(.init(app: "kiosk", from: stand.first, to: stand.second, text: "?"), by: "eve") } == "invalid-migration"
    )
  }

  @Test(.oneNode("it holds the commits of one node"), .tags(.timing))
  func `a stop that does not wait longer answers an operator's request that waits for a thread`() throws {
    let workshop = try Workshop()
    let sessions = try (0..<3).map { _ in try workshop.session("lab") }
    workshop.journal.hold()
    defer { workshop.journal.release() }
    let statuses = Monitor<[Int]>([])
    let threads = try sessions.map { session in
      try NamedThread("forget") {
        let reply = try? session.post("forget", "{}", as: Workshop.operatorKey)
        statuses.change { $0.append(reply?.status ?? 0) }
      }
    }
    try workshop.journal.waitUntilHeld()
    try wait(for: "a request that waits for a thread") { workshop.service.threads.load == (2, 1) }
    #expect(!workshop.service.drain(within: .milliseconds(1)))
    try statuses.wait(for: "the response to it") { $0 == [503] ? () : nil }
    workshop.journal.release()
    for thread in threads { thread.join() }
    #expect(statuses.withLock { $0 } == [503, 200, 200])
  }
}
