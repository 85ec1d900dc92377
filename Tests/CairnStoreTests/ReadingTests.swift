import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Reading` {
  let journal = MemoryJournal()

  private func bench(pages: Int, limits: StoreLimits = StoreLimits()) throws -> StoreBench {
    let bench = try StoreBench(journal, limits: limits)
    try bench.create("a")
    for page in stride(from: 1, through: pages, by: 1) { try bench.post(Trial.page(page), to: "a") }
    return bench
  }

  @Test func `history is paged, oldest first, with the transition of each entry`() throws {
    let bench = try bench(pages: 6)
    defer { bench.store.stop() }
    let page = try bench.history(of: "a", after: 2, limit: 3)
    #expect(page.items.map(\.entry.revision) == [3, 4, 5])
    #expect(page.more)
    #expect(page.items.allSatisfy { $0.transition.outcome == .performed && $0.transition.changes.count == 1 })
    let rest = try bench.history(of: "a", after: 5, limit: 3)
    #expect(rest.items.map(\.entry.revision) == [6, 7])
    #expect(!rest.more)
  }

  @Test(arguments: [
    (7, 10, 0, false), (100, 10, 0, false), (-5, 2, 2, true), (0, 0, 0, true), (0, Int.max, 7, false), (Int.max, 5, 0, false),
  ])
  func `history with out-of-range bounds`(_ after: Int, _ limit: Int, _ count: Int, _ more: Bool) throws {
    let bench = try bench(pages: 6)
    defer { bench.store.stop() }
    let page = try bench.history(of: "a", after: after, limit: limit)
    #expect(page.items.count == count)
    #expect(page.more == more)
  }

  @Test func `the transition of an action is the same in the history as in its response`() throws {
    let bench = try bench(pages: 0)
    defer { bench.store.stop() }
    let commands = [Trial.page(4), Trial.step("ring"), Trial.step("fetch"), .action(.pop(count: 1, node: nil)), .token("t")]
    let answers = try commands.map { try bench.post($0, to: "a").performed.map(\.transition) }.flatMap(\.self)
    #expect(try bench.history(of: "a", after: 1).items.map(\.transition) == answers)
  }

  @Test func `a session can be read at each revision`() throws {
    let bench = try bench(pages: 5)
    defer { bench.store.stop() }
    for revision in 1...6 { #expect(try bench.session("a", at: revision).pages == Array(0..<revision)) }
    for revision in [0, -1, 7, Int.max] {
      let fault = #expect(throws: StoreFault.self) { try bench.session("a", at: revision) }
      #expect(fault?.word == "unknownRevision 6")
    }
    #expect(throws: StoreFault.self) { try bench.session("nobody", at: 1) }
  }

  @Test func `pages and revisions are the same in any order of reading`() throws {
    let bench = try bench(pages: 9)
    defer { bench.store.stop() }
    let all = try bench.history(of: "a")
    #expect(all.items.count == 10)
    for after in [0, 4, 2, 8, 3, 9, 4, 0] {
      let page = try bench.history(of: "a", after: after, limit: 3)
      #expect(page.items.map(\.entry) == Array(all.items.map(\.entry).dropFirst(after).prefix(3)))
      #expect(page.items.map(\.transition) == Array(all.items.map(\.transition).dropFirst(after).prefix(3)))
      let revision = max(1, after)
      let session = try bench.session("a", at: revision)
      #expect(session.pages == Array(0..<revision))
      #expect(session.updatedAt == all.items[revision - 1].entry.stamp.time)
    }
  }

  @Test func `the next page of a history reads only its own entries`() throws {
    let bench = try bench(pages: 20)
    defer { bench.store.stop() }
    _ = try bench.history(of: "a", limit: 10)
    journal.forgetReads()
    #expect(try bench.history(of: "a", after: 10, limit: 5).items.count == 5)
    #expect(journal.reads == [10])
  }

  @Test func `sessions that are not in memory are read from the journal`() throws {
    let bench = try bench(pages: 2, limits: StoreLimits(cache: 1))
    defer { bench.store.stop() }
    try bench.create("b", label: "other")
    #expect(try bench.session("a").pages == [0, 1, 2])
    #expect(try bench.session("b").label == "other")
    try bench.post(Trial.page(3), to: "a")
    #expect(try bench.session("a").pages == [0, 1, 2, 3])
  }

  @Test func `a session keeps its definition after a restart, whatever the files contain`() throws {
    let first = try StoreBench(journal)
    try first.create("a", definition: Trial.pinned("old"))
    first.store.stop()
    journal.reopen()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try bench.session("a").definition.hash == "hash-of-old")
    #expect(try bench.session("a").app == "old")
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.session("a").pages == [0, 1])
  }

  @Test func `sessions are listed by creation`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("c", label: "x")
    try bench.create("b", definition: Trial.pinned("other"), label: "x")
    try bench.create("a")
    #expect(try bench.sessions().sessions.map(\.id) == ["c", "b", "a"])
    let page = try bench.sessions(limit: 2)
    #expect(page.sessions.map(\.id) == ["c", "b"])
    #expect(page.more)
    let rest = try bench.sessions(after: "b", limit: 2)
    #expect(rest.sessions.map(\.id) == ["a"])
    #expect(!rest.more)
    #expect(try bench.sessions(app: "other").sessions.map(\.id) == ["b"])
    #expect(try bench.sessions(label: "x").sessions.map(\.id) == ["c", "b"])
    #expect(try bench.sessions(app: "other", label: "y").sessions.isEmpty)
    let fault = #expect(throws: StoreFault.self) { try bench.sessions(after: "nobody") }
    #expect(fault?.word == "unknownSession")
  }

  @Test func `an entry whose replay gives another result is reported as a fault`() throws {
    let bench = try bench(pages: 1)
    defer { bench.store.stop() }
    let session = try bench.session("a")
    var state = session.state
    state.revision = 3
    let entry = Entry(revision: 3, stamp: Stamp(time: 1, nonce: "n"), cause: .action(.popTo(.screen("nowhere"))))
    try journal.writer.commit(
      JournalBatch(sessions: [
        SessionWrite(
          SessionRecord(
            id: "a", app: "trial", definition: session.definition.hash, label: nil, createdAt: 0, updatedAt: 0, secretHash: [],
            state: state), after: 2, entries: [JournalEntry(entry, difference: Array("{\"r\":3}".utf8))])
      ]))
    bench.store.stop()
    journal.reopen()
    let again = try StoreBench(journal)
    defer { again.store.stop() }
    let fault = #expect(throws: StoreFault.self) { try again.history(of: "a") }
    #expect(fault?.word == "storage")
    #expect(try again.history(of: "a", after: 0, limit: 2).items.count == 2)
  }

  @Test func `the number of sessions is known from the start`() throws {
    let first = try bench(pages: 0)
    try first.create("b")
    first.store.stop()
    #expect(!first.store.figures.isAccepting)
    journal.reopen()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(bench.store.figures.sessions == 2)
    #expect(bench.store.figures.commits == 0)
    #expect(bench.store.figures.isAccepting)
  }
}
