import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Writing` {
  let journal = MemoryJournal()

  @Test func `a session starts with entry 1, and each action adds one revision`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let created = try bench.create("a")
    #expect(created.performed.revision == 1)
    #expect(created.session.pages == [0])
    let posted = try bench.post(Trial.page(1), Trial.page(2), to: "a")
    #expect(posted.performed.map(\.revision) == [2, 3])
    #expect(posted.session.pages == [0, 1, 2])
    #expect(try bench.session("a").pages == [0, 1, 2])
    #expect(try bench.session("a").state.revision == 3)
  }

  @Test func `entries carry the time and the nonce of their action`() throws {
    let bench = try StoreBench(journal, clock: ManualClock(5_000))
    defer { bench.store.stop() }
    try bench.create("a")
    bench.clock.advance(by: 70)
    try bench.post(Trial.page(1), to: "a")
    let entries = try bench.history(of: "a").items.map(\.entry)
    #expect(entries.map(\.stamp.time) == [5_000, 5_070])
    #expect(Set(entries.map(\.stamp.nonce)).count == 2)
    #expect(try bench.session("a").createdAt == 5_000)
    #expect(try bench.session("a").updatedAt == 5_070)
  }

  @Test func `a definition's text is written once, however many sessions start with it`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b", "c"] { try bench.create(id) }
    try bench.create("d", definition: Trial.pinned("other"))
    #expect(journal.batches.flatMap(\.definitions.keys) == ["hash-of-trial", "hash-of-other"])
  }

  @Test func `the arrival is a second action of the creation's commit`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let created = try bench.create("a", arrival: Trial.page(9))
    #expect(created.session.pages == [0, 9])
    #expect(created.performed.revision == 1)
    #expect(try created.opened?.get().revision == 2)
    #expect(journal.batches.count == 1)
    #expect(journal.batches.first?.sessions.first?.entries.map(\.entry.revision) == [1, 2])
  }

  @Test func `a creation succeeds although its arrival is rejected`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let created = try bench.create("a", arrival: Trial.nonsense)
    guard case .failure(let refusal)? = created.opened else {
      Issue.record("\(String(describing: created.opened))")
      return
    }
    #expect(refusal.code == .invalid)
    #expect(try bench.session("a").state.revision == 1)
  }

  @Test func `a creation that does not fit the app is rejected and leaves nothing`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let fault = #expect(throws: StoreFault.self) {
      try bench.create("a", creation: Creation(facts: ["unknown": true]))
    }
    #expect(fault?.word == "refused invalid at 0 by 0")
    #expect(journal.batches.isEmpty)
    #expect(bench.store.figures.sessions == 0)
  }

  @Test func `an id that exists cannot be created again`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", label: "first")
    #expect(throws: StoreFault.self) { try bench.create("a", label: "second") }
    #expect(try bench.session("a").label == "first")
  }

  @Test func `several commands are applied all or none, and the rejection contains the index of the failed one`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.fault(Trial.page(2), Trial.page(3), Trial.nonsense, to: "a")?.word == "refused invalid at 2 by 2")
    #expect(try bench.session("a").pages == [0, 1])
    #expect(journal.batches.count == 2)
  }

  @Test func `an action that changes nothing writes nothing`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let posted = try bench.post(Trial.step("nothing"), to: "a")
    #expect(posted.performed.map(\.transition.outcome) == [.unchanged])
    #expect(posted.performed.map(\.revision) == [1])
    #expect(journal.batches.count == 1)
  }

  @Test func `a post to a session that does not exist is rejected as unknown session`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try bench.fault(Trial.page(1), to: "nobody")?.word == "unknownSession")
    #expect(throws: StoreFault.self) { try bench.session("nobody") }
    #expect(throws: StoreFault.self) { try bench.delete("nobody") }
    #expect(journal.batches.isEmpty)
  }

  @Test func `a post that expects another revision is a conflict`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a", matching: [1])
    #expect(try bench.fault(Trial.page(2), to: "a", matching: [1])?.word == "conflict 2")
    #expect(try bench.fault(Trial.page(2), to: "a", matching: [])?.word == "conflict 2")
    try bench.post(Trial.page(2), to: "a", matching: [7, 2])
    #expect(try bench.session("a").pages == [0, 1, 2])
    #expect(throws: StoreFault.self) { try bench.delete("a", matching: [1]) }
    try bench.delete("a", matching: [3])
  }

  @Test func `a deleted session leaves nothing, including its secrets`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", creation: Creation(hasToken: true), accessToken: "t")
    try bench.create("b")
    try bench.post(Trial.page(1), .login(code: "c", state: nil, byOperator: true), to: "a")
    #expect(journal.traces(of: "a").count == 3)
    #expect(bench.store.figures.sessions == 2)
    _ = try bench.outbound.call(0)
    try bench.delete("a")
    #expect(journal.traces(of: "a").isEmpty)
    #expect(throws: StoreFault.self) { try bench.session("a") }
    #expect(try bench.fault(Trial.page(1), to: "a")?.word == "unknownSession")
    #expect(bench.store.figures.sessions == 1)
    try bench.outbound.waitUntilGivenUp(0)
    #expect(try bench.session("b").pages == [0])
  }

  @Test func `a stopped store rejects requests, and finishes those it had accepted`() throws {
    let bench = try StoreBench(journal)
    try bench.create("a")
    journal.hold()
    let answers = (1...5).map { page in
      let answer = Awaited<Result<Posted, StoreFault>>()
      bench.store.post([Trial.page(page)], to: "a") { answer.give($0) }
      return answer
    }
    try journal.waitUntilHeld()
    let stopped = Awaited<Bool>()
    let thread = try NamedThread("stopper") {
      bench.store.stop()
      stopped.give(true)
    }
    while bench.store.figures.isAccepting {}
    #expect(try bench.fault(Trial.page(6), to: "a")?.word == "stopping")
    journal.release()
    _ = try stopped.value()
    thread.join()
    #expect(try answers.map { try $0.value().get().session.pages.count } == [2, 3, 4, 5, 6])
    journal.reopen()
    let again = try StoreBench(journal)
    defer { again.store.stop() }
    #expect(try again.session("a").pages == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a store starts once`() throws {
    let bench = try StoreBench(journal)
    #expect(throws: Store.StartError.self) { try bench.store.start() }
    bench.store.stop()
    bench.store.stop()
    #expect(throws: Store.StartError.self) { try bench.store.start() }
  }
}
