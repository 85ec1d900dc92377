import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Failing journal` {
  let journal = MemoryJournal()

  @Test func `every response of the batch is a fault, and nothing of the batch is kept`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    journal.fail(with: .full)
    #expect(try bench.fault(Trial.page(2), to: "a")?.word == "storage")
    #expect(throws: StoreFault.self) { try bench.create("b") }
    #expect(throws: StoreFault.self) { try bench.delete("a") }
    #expect(try bench.session("a").pages == [0, 1])
    #expect(throws: StoreFault.self) { try bench.session("b") }
    #expect(bench.store.figures.journalFault == JournalError.full.description)
    #expect(bench.store.figures.sessions == 1)
    #expect(bench.events == [.journalFailed(.full)])
  }

  @Test func `the store works again as soon as the journal does`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    journal.fail(with: .full)
    #expect(try bench.fault(Trial.page(1), to: "a")?.word == "storage")
    journal.fail(with: nil)
    try bench.post(Trial.page(2), to: "a")
    #expect(try bench.session("a").pages == [0, 2])
    #expect(bench.store.figures.journalFault == nil)
    #expect(bench.events == [.journalFailed(.full), .journalRecovered])
  }

  @Test func `the recovery of the journal is detected without any traffic`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    journal.fail(with: .io("gone"))
    #expect(try bench.fault(Trial.page(1), to: "a")?.word == "storage")
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(bench.store.figures.journalFault != nil)
    journal.fail(with: nil)
    bench.clock.advance(by: 1_000)
    try bench.settle()
    try bench.settle()
    #expect(bench.store.figures.journalFault == nil)
  }

  @Test func `a timer that fell due during the failure runs when the journal works again`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("sleep"), to: "a")
    journal.fail(with: .full)
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0])
    journal.fail(with: nil)
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
    bench.clock.advance(by: 10_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
  }

  @Test func `the result of a call during the failure is not lost`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(.login(code: "c", state: nil, byOperator: true), to: "a")
    _ = try bench.outbound.call(0)
    journal.fail(with: .full)
    try bench.outbound.end(0, .token("fresh"))
    try bench.settle()
    #expect(try bench.session("a").state.login.status == .requesting)
    #expect(journal.secrets(of: "a") == [.code(effect: 1): "c"])
    journal.fail(with: nil)
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(try bench.session("a").state.login.status == .loggedIn)
    #expect(journal.secrets(of: "a") == [.token: "fresh"])
    #expect(bench.outbound.count == 1)
  }

  @Test func `after a conflict the store reads the session again`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let session = try bench.session("a")
    var state = session.state
    let stamp = Stamp(time: 1, nonce: "elsewhere")
    let action = Action.step(Step("openPage", params: ["n": 5]), from: nil)
    _ = try session.definition.reducer.reduce(&state, action, stamp: stamp)
    let record = SessionRecord(
      id: "a", app: "trial", definition: session.definition.hash, label: nil, createdAt: 0, updatedAt: 1, secretHash: [],
      state: state)
    let entry = JournalEntry(Entry(revision: 2, stamp: stamp, cause: .action(action)), from: session.state, to: state)
    try journal.writer.commit(JournalBatch(sessions: [SessionWrite(record, after: 1, entries: [entry])]))
    #expect(try bench.fault(Trial.page(6), to: "a")?.word == "storage")
    try bench.post(Trial.page(6), to: "a")
    #expect(try bench.session("a").pages == [0, 5, 6])
  }

  @Test func `a conflict of one session does not affect the other sessions of its batch`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b", "c"] { try bench.create(id) }
    try write(Trial.page(5), to: "a", bench)
    journal.hold()
    let first = post(Trial.page(1), to: "c", bench)
    try journal.waitUntilHeld()
    let (lost, kept) = (post(Trial.page(6), to: "a", bench), post(Trial.page(2), to: "b", bench))
    journal.release()
    _ = try first.value().get()
    #expect(try kept.value().get().session.pages == [0, 2])
    #expect(throws: StoreFault.self) { try lost.value().get() }
    #expect(bench.events == [.sessionNotWritten(session: "a", .conflict(session: "a"))])
    #expect(bench.store.figures.journalFault == nil)
    #expect(try bench.post(Trial.page(6), to: "a").session.pages == [0, 5, 6])
  }

  @Test func `the writes of another node are read if the journal is shared`() throws {
    let journal = MemoryJournal(isShared: true)
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try write(Trial.page(5), to: "a", bench, journal)
    #expect(try bench.session("a").pages == [0, 5])
    try write(Trial.page(6), to: "a", bench, journal)
    #expect(try bench.post(Trial.page(7), to: "a").session.pages == [0, 5, 6, 7])
  }

  @Test func `effects that another node has released are claimed`() throws {
    let journal = MemoryJournal(isShared: true)
    let bench = try StoreBench(journal, limits: StoreLimits(lease: 1_000))
    defer { bench.store.stop() }
    try bench.create("a")
    try write(Trial.step("sleep"), to: "a", bench, journal)
    bench.clock.advance(by: 500)
    try bench.settle()
    #expect(journal.claims == 2)
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
  }

  private func post(_ command: Command, to id: String, _ bench: StoreBench) -> Awaited<Result<Posted, StoreFault>> {
    let answer = Awaited<Result<Posted, StoreFault>>()
    bench.store.post([command], to: id) { answer.give($0) }
    return answer
  }

  /// Writes to the journal directly, as another node would.
  private func write(_ command: Command, to id: String, _ bench: StoreBench, _ journal: MemoryJournal? = nil) throws {
    guard case .action(let action) = command else { return }
    let session = try bench.session(id)
    var state = session.state
    let stamp = Stamp(time: bench.clock.now(), nonce: "elsewhere")
    _ = try session.definition.reducer.reduce(&state, action, stamp: stamp)
    let record = SessionRecord(
      id: id, app: "trial", definition: session.definition.hash, label: nil, createdAt: 0, updatedAt: 1, secretHash: [],
      state: state)
    let entry = JournalEntry(Entry(revision: state.revision, stamp: stamp, cause: .action(action)), from: session.state, to: state)
    try (journal ?? self.journal).commit(
      JournalBatch(sessions: [SessionWrite(record, after: session.state.revision, entries: [entry])]))
  }

  @Test func `a store does not start on a journal that cannot be read`() throws {
    journal.close()
    #expect(throws: Store.StartError.self) { try StoreBench(journal) }
  }
}
