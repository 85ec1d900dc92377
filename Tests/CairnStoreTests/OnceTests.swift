import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `A request with a key runs once` {
  let journal = MemoryJournal()
  private static let one = RequestKey(name: Fingerprint([1]), print: Fingerprint([11]))

  @Test func `a repeat gets the first response, and one entry is written`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let first = try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    try bench.post(Trial.page(2), to: "a")
    let again = try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    #expect(!first.isReplay && again.isReplay)
    #expect(again.content == first.content && again.until == first.until)
    #expect(try bench.session("a").pages == [0, 1, 2])
    #expect(journal.batches.flatMap(\.sessions).flatMap(\.answers).count == 1)
  }

  @Test func `the response is written in the same commit as the entry`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    let write = try #require(journal.batches.last?.sessions.first)
    #expect(write.entries.count == 1 && write.answers.map(\.key) == [.request(Self.one.name)])
  }

  @Test func `after a crash before the response was sent the repeat gets it`() throws {
    let crashed = try StoreBench(journal)
    try crashed.create("a")
    // The response is discarded, as if the process had ended right after the commit.
    crashed.store.post(Post(.commands([Trial.page(1)]), to: "a"), once: StoreBench.once(Self.one)) { _ in }
    try crashed.settle()
    crashed.store.stop()
    journal.reopen()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let again = try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    #expect(again.isReplay && again.content.body == Array("[\"performed\"] [0, 1]".utf8))
    #expect(try bench.session("a").pages == [0, 1])
  }

  /// If `isFirst` is true, the held commit is that of the first post. Otherwise it is that of another action, and all 50 posts are in one batch.
  @Test(arguments: [true, false]) func `fifty simultaneous posts make one entry and get its response`(isFirst: Bool) throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    journal.hold()
    let awaited = (0..<50).map { _ in Awaited<Result<GivenAnswer, StoreFault>>() }
    func post(_ range: Range<Int>) {
      for place in awaited[range] {
        bench.store.post(Post(.commands([Trial.page(1)]), to: "a"), once: StoreBench.once(Self.one)) { place.give($0) }
      }
    }
    if isFirst { post(0..<1) } else { bench.store.post([Trial.step("ring")], to: "a") { _ in } }
    try journal.waitUntilHeld()
    post((isFirst ? 1 : 0)..<50)
    #expect(awaited.allSatisfy { $0.count == 0 })
    journal.release()
    let given = try awaited.map { try $0.value().get() }
    #expect(given.filter { !$0.isReplay }.count == 1)
    #expect(Set(given.map(\.content)).count == 1)
    #expect(try bench.session("a").pages == [0, 1])
  }

  @Test func `another request with the same key is rejected, and does nothing`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    let other = RequestKey(name: Self.one.name, print: Fingerprint([12]))
    #expect(throws: StoreFault.self) { try bench.postOnce(Trial.page(2), to: "a", key: other) }
    #expect(try bench.session("a").pages == [0, 1])
  }

  @Test func `a key belongs to one session`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.create("b")
    try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    #expect(try !bench.postOnce(Trial.page(1), to: "b", key: Self.one).isReplay)
  }

  @Test func `a rejection is stored without a revision, and repeated after a restart`() throws {
    let bench = try StoreBench(journal)
    try bench.create("a")
    let first = try bench.postOnce(Trial.nonsense, to: "a", key: Self.one)
    #expect(first.content.status == 409)
    #expect(journal.batches.last?.sessions.first?.entries.isEmpty == true)
    bench.store.stop()
    journal.reopen()
    let restarted = try StoreBench(journal)
    defer { restarted.store.stop() }
    let again = try restarted.postOnce(Trial.nonsense, to: "a", key: Self.one)
    #expect(again.isReplay && again.content == first.content)
    #expect(try restarted.session("a").state.revision == 1)
  }

  @Test func `the journal is read only for a repeat, and once for the keys of a session that was read from it`() throws {
    let bench = try StoreBench(journal)
    try bench.create("a")
    for number in 0..<10 { try bench.postOnce(Trial.page(number), to: "a", key: Self.key(number)) }
    #expect(journal.answerReads == (0, 0))
    #expect(try bench.postOnce(Trial.page(3), to: "a", key: Self.key(3)).isReplay)
    #expect(journal.answerReads == (1, 0))
    bench.store.stop()
    journal.reopen()
    let restarted = try StoreBench(journal)
    defer { restarted.store.stop() }
    for number in 10..<20 { try restarted.postOnce(Trial.page(number), to: "a", key: Self.key(number)) }
    #expect(journal.answerReads == (1, 1))
    for number in [0, 9, 10, 19] { #expect(try restarted.postOnce(Trial.page(number), to: "a", key: Self.key(number)).isReplay) }
    #expect(journal.answerReads == (5, 1))
  }

  @Test func `a rejection that is stored without a revision is found by its key`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    #expect(try bench.postOnce(Trial.nonsense, to: "a", key: Self.one).content.status == 409)
    #expect(try bench.postOnce(Trial.nonsense, to: "a", key: Self.one).isReplay)
  }

  @Test func `a failed precondition or a fault is not stored, and the key can be used again`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    #expect(throws: StoreFault.self) { try bench.postOnce(Trial.page(1), to: "a", matching: [7], key: Self.one) }
    journal.fail(with: .full)
    #expect(throws: StoreFault.self) { try bench.postOnce(Trial.page(1), to: "a", key: Self.one) }
    journal.fail(with: nil)
    #expect(try !bench.postOnce(Trial.page(1), to: "a", matching: [1], key: Self.one).isReplay)
    #expect(try bench.session("a").pages == [0, 1])
  }

  @Test func `a repeat gets its response before its precondition is checked`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let first = try bench.postOnce(Trial.page(1), to: "a", matching: [1], key: Self.one)
    #expect(try bench.postOnce(Trial.page(1), to: "a", matching: [1], key: Self.one).content == first.content)
  }

  @Test func `a key over the limit of 1000 removes the oldest key`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for number in 0...KeptAnswer.limit { try bench.postOnce(Trial.nonsense, to: "a", key: Self.key(number)) }
    #expect(try bench.postOnce(Trial.nonsense, to: "a", key: Self.key(1)).isReplay)
    #expect(try !bench.postOnce(Trial.nonsense, to: "a", key: Self.key(0)).isReplay)
  }

  @Test func `after its lifetime a key can be used again, and its response is erased`() throws {
    let bench = try StoreBench(journal, limits: StoreLimits(answers: 1_000))
    defer { bench.store.stop() }
    try bench.create("a")
    let first = try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    #expect(first.until == bench.clock.now() + 1_000)
    bench.clock.advance(by: 999)
    #expect(try bench.postOnce(Trial.page(1), to: "a", key: Self.one).isReplay)
    bench.clock.advance(by: 1)
    #expect(try !bench.postOnce(Trial.page(1), to: "a", key: Self.one).isReplay)
    #expect(try bench.session("a").pages == [0, 1, 1])
    bench.clock.advance(by: 200_000)
    try bench.settle()
    #expect(try journal.answers.answer(.request(Self.one.name), of: "a") == nil)
  }

  @Test func `the responses of a session are deleted with it`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.postOnce(Trial.page(1), to: "a", key: Self.one)
    try bench.delete("a")
    #expect(throws: StoreFault.self) { try bench.postOnce(Trial.page(1), to: "a", key: Self.one) }
    #expect(journal.traces(of: "a") == [])
  }

  private static func key(_ number: Int) -> RequestKey {
    let bytes = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
    return RequestKey(name: Fingerprint(bytes), print: Fingerprint(bytes))
  }
}

@Suite(.tags(.timing), .ownThreads) struct `A session is created once for a key` {
  let journal = MemoryJournal()
  private static let print = Fingerprint([5])

  @Test func `a repeat gets the first response, also after a restart`() throws {
    let bench = try StoreBench(journal)
    let first = try bench.createOnce("a", print: Self.print)
    try bench.post(Trial.page(1), to: "a")
    let again = try bench.createOnce("a", print: Self.print)
    bench.store.stop()
    journal.reopen()
    let restarted = try StoreBench(journal)
    defer { restarted.store.stop() }
    let later = try restarted.createOnce("a", print: Self.print)
    #expect(!first.isReplay && again.isReplay && later.isReplay)
    #expect(again.content == first.content && later.content == first.content && first.content.hole == 3)
    #expect(try restarted.session("a").pages == [0, 1])
  }

  @Test func `another creation with the same key does nothing`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.createOnce("a", print: Self.print)
    #expect(throws: StoreFault.self) { try bench.createOnce("a", print: Fingerprint([6])) }
    #expect(bench.store.figures.sessions == 1)
  }

  @Test func `a repeat does not restore a deleted session`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.createOnce("a", print: Self.print)
    try bench.delete("a")
    #expect(throws: StoreFault.self) { try bench.createOnce("a", print: Self.print) }
    #expect(bench.store.figures.sessions == 0)
  }

  @Test func `after the response has expired a repeat is rejected and creates nothing`() throws {
    let bench = try StoreBench(journal, limits: StoreLimits(answers: 1_000))
    defer { bench.store.stop() }
    try bench.createOnce("a", print: Self.print)
    bench.clock.advance(by: 1_000)
    #expect(throws: StoreFault.self) { try bench.createOnce("a", print: Self.print) }
    #expect(bench.store.figures.sessions == 1)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `A message is processed once` {
  let journal = MemoryJournal()
  private static let message = Fingerprint([3])

  @Test func `a repeated message changes and writes nothing, also after a restart`() throws {
    let bench = try StoreBench(journal)
    try bench.create("a")
    try bench.create("b")
    #expect(try bench.post(Trial.page(1), to: "a", message: Self.message).performed.first?.transition.outcome == .performed)
    bench.store.stop()
    journal.reopen()
    let restarted = try StoreBench(journal)
    defer { restarted.store.stop() }
    let commits = journal.batches.count
    let again = try restarted.post(Trial.page(1), to: "a", message: Self.message)
    #expect(again.performed.map(\.transition) == [Transition(outcome: .unchanged, reason: "duplicate")])
    #expect(again.session.pages == [0, 1] && journal.batches.count == commits)
    #expect(try restarted.post(Trial.page(1), to: "b", message: Self.message).session.pages == [0, 1])
  }

  @Test func `a rejected message may be sent again`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    #expect(throws: StoreFault.self) { try bench.post(Trial.nonsense, to: "a", message: Self.message) }
    #expect(try bench.post(Trial.page(1), to: "a", message: Self.message).session.pages == [0, 1])
  }

  @Test func `a message may be processed again after its lifetime`() throws {
    let bench = try StoreBench(journal, limits: StoreLimits(messages: 1_000))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a", message: Self.message)
    bench.clock.advance(by: 1_000)
    #expect(try bench.post(Trial.page(1), to: "a", message: Self.message).session.pages == [0, 1, 1])
  }

  @Test func `the message that created the session is known`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", arrival: Trial.page(9), message: Self.message)
    #expect(try bench.post(Trial.page(9), to: "a", message: Self.message).session.pages == [0, 9])
  }

  @Test func `a request with a key and a known message is unchanged, and its key returns its own response`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let keys = (1...2).map { RequestKey(name: Fingerprint([UInt8($0)]), print: Fingerprint([7])) }
    let first = try bench.postOnce(Trial.page(1), to: "a", message: Self.message, key: keys[0])
    let second = try bench.postOnce(Trial.page(1), to: "a", message: Self.message, key: keys[1])
    #expect(second.content.body == Array("[\"duplicate\"] [0, 1]".utf8))
    #expect(try bench.postOnce(Trial.page(1), to: "a", message: Self.message, key: keys[0]).content == first.content)
  }
}
