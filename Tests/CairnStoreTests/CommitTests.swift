import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

/// Tests of group commit. The journal holds the first commit, so that the following messages wait for the next batch.
@Suite(.tags(.timing), .ownThreads) struct `Group commit` {
  let journal = MemoryJournal()
  typealias Answer = Awaited<Result<Posted, StoreFault>>

  private func post(_ commands: Command..., to id: String, matching: [Int]? = nil, _ bench: StoreBench) -> Answer {
    let answer = Answer()
    bench.store.post(commands, to: id, matching: matching?.map { RevisionTag($0) }) { answer.give($0) }
    return answer
  }

  /// A store whose writer is held in the commit of page 1 of session `a`.
  private func held(_ limits: StoreLimits = StoreLimits()) throws -> (bench: StoreBench, first: Answer) {
    let bench = try StoreBench(journal, limits: limits)
    for id in ["a", "b"] { try bench.create(id) }
    journal.hold()
    let first = post(Trial.page(1), to: "a", bench)
    try journal.waitUntilHeld()
    return (bench, first)
  }

  @Test func `all that arrives during a commit goes into the next one`() throws {
    let (bench, first) = try held()
    defer { bench.store.stop() }
    let answers = (2...60).map { post(Trial.page($0), to: $0 % 2 == 0 ? "a" : "b", bench) }
    #expect(first.count == 0)
    #expect(bench.store.figures.queueDepth == 59)
    journal.release()
    for answer in answers { _ = try answer.value().get() }
    #expect(journal.batches.count == 4)
    #expect(journal.batches.last?.sessions.map(\.entries.count) == [30, 29])
    let figures = bench.store.figures
    #expect(figures.commits == 4)
    #expect(figures.committedActions == 62)
    #expect(figures.largestBatch == 59)
    #expect(figures.queueDepth == 0)
  }

  @Test func `several posts to one session in a batch run in the order in which they arrived`() throws {
    let (bench, _) = try held()
    defer { bench.store.stop() }
    let answers = (2...20).map { post(Trial.page($0), to: "a", bench) }
    journal.release()
    #expect(try answers.map { try $0.value().get().performed.map(\.revision) } == (3...21).map { [$0] })
    #expect(try bench.session("a").pages == Array(0...20))
    #expect(try bench.history(of: "a", after: 1).items.map(\.entry.revision) == Array(2...21))
  }

  @Test func `a rejected action is removed from its batch, and the other actions are committed`() throws {
    let (bench, _) = try held()
    defer { bench.store.stop() }
    let good = [post(Trial.page(2), to: "a", bench)]
    let bad = post(Trial.page(8), Trial.nonsense, to: "a", bench)
    let more = good + [post(Trial.page(3), to: "a", bench), post(Trial.page(4), to: "b", bench)]
    journal.release()
    for answer in more { _ = try answer.value().get() }
    guard case .failure(let fault) = try bad.value() else {
      Issue.record("it was accepted")
      return
    }
    #expect(fault.word == "refused invalid at 1 by 3")
    #expect(try bench.session("a").pages == [0, 1, 2, 3])
    #expect(try bench.session("b").pages == [0, 4])
  }

  @Test func `a rejection and an unchanged outcome wait for the commit of the state that they are based on`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    // Three messages arrive in one batch, because the writer is busy with another commit.
    journal.hold()
    let first = post(Trial.page(1), to: "a", bench)
    try journal.waitUntilHeld()
    let second = post(Trial.page(2), to: "a", bench)
    let refused = post(Trial.nonsense, to: "a", bench)
    let unchanged = post(Trial.step("nothing"), to: "a", bench)
    journal.releaseOne()
    _ = try first.value().get()
    try journal.waitUntilHeld()
    #expect([second.count, refused.count, unchanged.count] == [0, 0, 0])
    journal.release()
    _ = try second.value().get()
    #expect(try unchanged.value().get().performed.map(\.revision) == [3])
    #expect(throws: StoreFault.self) { try refused.value().get() }
  }

  @Test func `if-match is compared with the revision that the batch has reached`() throws {
    let (bench, _) = try held()
    defer { bench.store.stop() }
    let answers = (0..<3).map { _ in post(Trial.page(5), to: "a", matching: [2], bench) }
    journal.release()
    let words = try answers.map { answer in
      switch try answer.value() {
      case .success(let posted): "\(posted.session.state.revision)"
      case .failure(let fault): fault.word
      }
    }
    #expect(words == ["3", "conflict 3", "conflict 3"])
  }

  @Test func `a full queue rejects a request at once`() throws {
    let (bench, _) = try held(StoreLimits(queue: 3))
    defer { bench.store.stop() }
    let answers = (0..<3).map { post(Trial.page($0), to: "a", bench) }
    #expect(try bench.fault(Trial.page(9), to: "a")?.word == "queueFull")
    #expect(bench.store.figures.queueLimit == 3)
    journal.release()
    for answer in answers { _ = try answer.value().get() }
    try bench.post(Trial.page(9), to: "a")
    #expect(try bench.session("a").pages == [0, 1, 0, 1, 2, 9])
  }

  @Test func `a batch has a maximum size, and the remaining messages form the next batch`() throws {
    let (bench, _) = try held(StoreLimits(batch: 4))
    defer { bench.store.stop() }
    let answers = (0..<10).map { post(Trial.page($0), to: "a", bench) }
    journal.release()
    for answer in answers { _ = try answer.value().get() }
    #expect(journal.batches.suffix(3).map { $0.sessions.reduce(0) { $0 + $1.entries.count } } == [4, 4, 2])
  }

  @Test func `readers see a state only after its commit, and never wait for one`() throws {
    let (bench, first) = try held()
    defer { bench.store.stop() }
    #expect(try bench.session("a").pages == [0])
    #expect(try bench.history(of: "a").items.count == 1)
    journal.release()
    _ = try first.value().get()
    #expect(try bench.session("a").pages == [0, 1])
  }

  @Test func `a session that is created and deleted in one batch is never written`() throws {
    let (bench, _) = try held()
    defer { bench.store.stop() }
    let born = Awaited<Result<Created, StoreFault>>()
    let ended = Awaited<Result<Void, StoreFault>>()
    bench.store.create(
      NewSession(id: "c", definition: Trial.pinned(), secretHash: [], creation: Creation())
    ) { born.give($0) }
    bench.store.delete("c") { ended.give($0) }
    let late = post(Trial.page(1), to: "c", bench)
    journal.release()
    _ = try born.value().get()
    try ended.value().get()
    #expect(throws: StoreFault.self) { try late.value().get() }
    #expect(journal.traces(of: "c").isEmpty)
    #expect(bench.store.figures.sessions == 2)
  }

  @Test func `every caller receives exactly one response`() throws {
    let (bench, first) = try held()
    let answers = (0..<20).map { post($0 % 3 == 0 ? Trial.nonsense : Trial.page($0), to: "a", bench) }
    journal.release()
    bench.store.stop()
    #expect(([first] + answers).map(\.count) == [Int](repeating: 1, count: 21))
  }
}
