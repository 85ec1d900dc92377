import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Moving sessions to another definition` {
  private let journal = MemoryJournal()
  private let first = Trial.pinned()
  private let second = Trial.second()

  /// A store with the session `a` on the first definition, and with documents in both directions.
  private func bench(limits: StoreLimits = StoreBench.limits, _ creation: Creation = Creation(), accessToken: String? = nil) throws
    -> StoreBench
  {
    let bench = try StoreBench(journal, limits: limits)
    try bench.create("a", creation: creation, accessToken: accessToken)
    try bench.keep(Trial.migration(from: first, to: second))
    try bench.keep(Trial.migration(from: second, to: first))
    return bench
  }

  private func faults() throws -> [String] { try JournalCheck(journal, opensSecrets: true) { try Trial.read($0) }.faults }

  @Test func `a move is one entry with the new definition, which is stored with it`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.page(1), to: "a")
    let posted = try bench.migrate("a")
    #expect(posted.session.definition.hash == second.hash && posted.session.pages == [0, 1] && posted.performed.map(\.revision) == [3])
    let batch = try #require(journal.batches.last)
    #expect(batch.sessions.map(\.record.definition) == [second.hash])
    let entries = try #require(batch.sessions.first?.entries)
    #expect(entries.map(\.definition) == [second.hash])
    #expect(entries.map(\.entry.cause) == [.replacement(.migrated(from: first.hash, to: second.hash))])
    #expect(try bench.post(Trial.step("openSheet", ["n": 2]), to: "a").session.pages == [0, 1, 2])
    #expect(try faults() == [])
  }

  @Test func `a client's facts are checked under the definition that the session has by then`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.migrate("a")
    let facts = Command.action(.facts(["x": 1]))
    let refusals = [
      first.hash: "definitionChanged \(second.hash): setting facts requires an operator's key",
      second.hash: "operatorOnly setting facts at 0",
    ]
    for (hash, refusal) in refusals {
      #expect(word { try bench.post(facts, madeFor: hash, to: "a") } == refusal)
      #expect(word { try bench.post(facts, madeFor: hash, byOperator: true, to: "a") } == "refused invalid at 0 by 2")
    }
    #expect(try bench.session("a").state.revision == 2)
  }

  @Test func `a restart between any two requests changes nothing`() throws {
    var bench = try bench()
    defer { bench.store.stop() }
    func restart() throws {
      bench.store.stop()
      journal.reopen()
      bench = try StoreBench(journal, clock: bench.clock)
    }
    try bench.post(Trial.page(1), to: "a")
    try restart()
    try bench.migrate("a")
    try restart()
    try bench.post(Trial.step("openSheet", ["n": 2]), to: "a")
    try restart()
    #expect(try bench.post(Trial.page(3), madeFor: first.hash, to: "a").session.pages == [0, 1, 2, 3])
    try restart()
    try bench.undo("a", to: 2, reason: "because")
    try restart()
    #expect(try bench.session("a").definition.hash == first.hash && bench.session("a").pages == [0, 1])
    #expect(
      try (1...6).map { try bench.session("a", at: $0).definition.hash }
        == [first.hash, first.hash, second.hash, second.hash, second.hash, first.hash])
    #expect(try (1...6).map { try bench.session("a", at: $0).pages } == [[0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1]])
    #expect(
      try bench.history(of: "a").items.map(\.entry.cause).filter { if case .replacement = $0 { true } else { false } }
        == [.replacement(.migrated(from: first.hash, to: second.hash)), .replacement(.undone(to: 2, reason: "because"))])
    #expect(try faults() == [])
  }

  @Test func `the history has the changes of a move as the response had them, from any entry on`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.page(1), to: "a")
    let moved = try bench.migrate("a")
    let undone = try bench.undo("a", to: 1)
    for after in 0...3 {
      let items = try bench.history(of: "a", after: after).items
      #expect(items.map(\.entry.revision) == Array((after + 1)...4))
      #expect(items.last?.transition.changes == undone.performed.first?.transition.changes)
      if after < 3 { #expect(items.dropLast().last?.transition.changes == moved.performed.first?.transition.changes) }
    }
  }

  @Test func `a failed commit leaves the session on its definition`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    journal.fail(with: .io("x"))
    #expect(throws: StoreFault.self) { try bench.migrate("a") }
    journal.fail(with: nil)
    #expect(try bench.session("a").definition.hash == first.hash && bench.session("a").state.revision == 1)
    #expect(try bench.migrate("a").session.definition.hash == second.hash)
  }

  @Test func `a session whose journal is twice as long as its limit forgets it, and moves`() throws {
    let bench = try bench(limits: StoreLimits(entries: 2))
    defer { bench.store.stop() }
    // The posts are one batch, because at the limit itself the background task would begin to forget.
    try bench.post(Trial.page(1), Trial.page(2), Trial.page(3), to: "a")
    let moved = try bench.migrate("a").session
    #expect(moved.definition.hash == second.hash && moved.state.revision == 5)
    #expect(word { try bench.undo("a", to: 3) } == "historyGone 4")
  }

  /// The word of the fault that `body` throws; `nil` if it throws nothing.
  private func word(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreFault)?.word ?? "\(error)"
    }
  }

  @Test func `documents are used as they are stored, also after one was replaced`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.migrate("a").session.pages == [0, 1])
    try bench.undo("a", to: 2)
    try bench.keep(Trial.migration(from: first, to: second, document: "cancel"))
    #expect(try bench.migrate("a").session.pages == [0])
    #expect(
      word { try bench.post(Trial.page(2), madeFor: first.hash, to: "a") }
        == "definitionChanged \(second.hash): the step openPage was removed")
  }

  @Test func `a document that cannot be read is a fault of the storage, and changes nothing`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.keep(Trial.migration(from: first, to: second, document: "nonsense"))
    #expect(word { try bench.migrate("a") } == "storage")
    #expect(try bench.session("a").definition.hash == first.hash)
  }

  @Test func `a timer goes on with its deadline, also after a restart`() throws {
    var bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("sleep"), to: "a")
    bench.clock.advance(by: 400)
    try bench.migrate("a")
    bench.store.stop()
    journal.reopen()
    bench = try StoreBench(journal, clock: bench.clock)
    bench.clock.advance(by: 599)
    try bench.settle()
    #expect(try bench.session("a").state.revision == 3)
    bench.clock.advance(by: 1)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
    #expect(try faults() == [])
  }

  @Test func `a call goes on, and its result comes under the new definition`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    _ = try bench.outbound.call(0)
    try bench.migrate("a")
    try bench.outbound.end(0, .json(1))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200] && bench.outbound.count == 1)
  }

  @Test func `a call that does not belong to the restored state is cancelled`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    try bench.post(Trial.step("fetch"), to: "a")
    _ = try bench.outbound.call(0)
    try bench.undo("a", to: 1)
    try bench.outbound.waitUntilGivenUp(0)
    try bench.outbound.end(0, .json(1))
    try bench.settle()
    #expect(try bench.session("a").pages == [0] && bench.session("a").state.revision == 3)
  }

  @Test func `the token stays, and the code of a cancelled login is forgotten`() throws {
    let bench = try bench(Creation(environment: ["TRIAL_BASE_URL": "http://trial.example", "TRIAL_CLIENT_ID": "id"]), accessToken: "t")
    defer { bench.store.stop() }
    try bench.migrate("a")
    #expect(journal.secrets(of: "a") == [.token: "t"])
    try bench.post(.login(code: "c-1", state: nil, byOperator: true), to: "a")
    _ = try bench.outbound.call(0)
    #expect(journal.secrets(of: "a").count == 2)
    try bench.undo("a", to: 2)
    #expect(journal.secrets(of: "a") == [.token: "t"])
    #expect(try faults() == [])
  }
}
