import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Timers` {
  let journal = MemoryJournal()

  @Test func `a timer fires once, at its due time and not before`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("sleep"), to: "a")
    bench.clock.advance(by: 999)
    try bench.settle()
    #expect(try bench.session("a").pages == [0])
    bench.clock.advance(by: 1)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
    bench.clock.advance(by: 100_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
    let entry = try #require(try bench.history(of: "a").items.last?.entry)
    #expect(entry.cause == .action(.effect(id: 1, .due(tick: 1))))
    #expect(entry.stamp.time == bench.clock.now() - 100_000)
  }

  @Test func `a held link is dropped at its deadline, after a restart too, and its successor has its own deadline`() throws {
    var bench = try StoreBench(journal)
    try bench.create("a")
    try bench.post(.open(url: "trial://held"), to: "a")
    bench.clock.advance(by: 9_000)
    try bench.post(.open(url: "trial://held"), to: "a")
    bench.clock.advance(by: 9_999)
    try bench.settle()
    #expect(try bench.session("a").state.pendingLinks.count == 1)
    bench.clock.advance(by: 1)
    try bench.settle()
    #expect(try bench.session("a").state.pendingLinks.isEmpty)
    try bench.post(.open(url: "trial://held"), to: "a")
    bench.store.stop()
    journal.reopen()
    bench = try StoreBench(journal, clock: bench.clock)
    defer { bench.store.stop() }
    bench.clock.advance(by: 10_000)
    try bench.settle()
    #expect(try bench.session("a").state.pendingLinks.isEmpty)
    #expect(try bench.history(of: "a").items.last?.entry.cause == .action(.effect(id: Effect.end(of: LinkID(3)), .due(tick: 1))))
  }

  @Test func `the clock wakes the store without a request`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("fetchLater"), to: "a")
    bench.clock.advance(by: 5_000)
    #expect(try bench.outbound.call(0) == .get(url: Trial.feed, bearer: nil))
  }

  @Test func `a manual clock at its end holds a timer that never fires, and continues after a restart`() throws {
    var bench = try StoreBench(journal)
    try bench.create("a", creation: Creation(manualClock: true))
    let begin = try #require(try bench.session("a").state.manualTime)
    try bench.post(.advance(by: State.latestTime - begin - 15_000), to: "a")
    try bench.post(Trial.step("ring"), to: "a")
    for _ in 1...2 {
      bench.store.stop()
      journal.reopen()
      bench = try StoreBench(journal, clock: bench.clock)
      #expect(try bench.fault(.advance(by: 15_001), to: "a")?.word.hasPrefix("refused invalid") == true)
    }
    defer { bench.store.stop() }
    try bench.post(.advance(by: 15_000), to: "a")
    #expect(try bench.session("a").state.manualTime == State.latestTime)
    #expect(try bench.session("a").count == 1)
    #expect(try bench.fault(.advance(by: 1), to: "a")?.word.hasPrefix("refused invalid") == true)
    #expect(try bench.fault(.advance(by: .max), to: "a")?.word.hasPrefix("refused invalid") == true)
  }

  @Test func `a repeating timer ticks once per period, and missed ticks are combined into one`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("ring"), to: "a")
    for _ in 1...3 {
      bench.clock.advance(by: 10_000)
      try bench.settle()
    }
    #expect(try bench.session("a").count == 3)
    bench.clock.advance(by: 47_000)
    try bench.settle()
    #expect(try bench.session("a").count == 4)
    #expect(try bench.history(of: "a").items.last?.entry.cause == .action(.effect(id: 1, .due(tick: 7))))
    bench.clock.advance(by: 2_999)
    try bench.settle()
    #expect(try bench.session("a").count == 4)
    bench.clock.advance(by: 1)
    try bench.settle()
    #expect(try bench.session("a").count == 5)
  }

  @Test func `a tick that changes nothing writes nothing, and the next one still comes`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("idle"), Trial.step("ring"), to: "a")
    let written = journal.batches.count
    for tick in 1...5 {
      bench.clock.advance(by: 10_000)
      try bench.settle()
      #expect(try bench.session("a").count == tick)
    }
    #expect(journal.batches.count == written + 5)
    #expect(journal.batches.suffix(5).allSatisfy { $0.sessions.first?.entries.count == 1 })
  }

  @Test func `a tick that changed nothing is not run again until its session changes`() throws {
    // The cache is empty, so that a tick that runs has to read the session.
    let bench = try StoreBench(journal, limits: StoreLimits(cache: 0))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("idle"), to: "a")
    try bench.create("b")
    bench.clock.advance(by: 10_000)
    try bench.settle()
    try bench.create("c")
    let read = journal.sessionReads
    for _ in 1...5 {
      bench.clock.advance(by: 10_000)
      try bench.settle()
    }
    #expect(journal.sessionReads == read)
    try bench.post(Trial.page(1), to: "a")
    try bench.create("d")
    let again = journal.sessionReads
    bench.clock.advance(by: 10_000)
    try bench.settle()
    #expect(journal.sessionReads == again + 1)
  }

  @Test func `a start reads no state before an effect is due`() throws {
    let clock = ManualClock()
    let first = try StoreBench(journal, clock: clock)
    for id in ["a", "b"] { try first.create(id) }
    try first.post(Trial.step("ring"), to: "a")
    first.store.stop()
    journal.reopen()
    let read = journal.sessionReads
    let bench = try StoreBench(journal, clock: clock)
    defer { bench.store.stop() }
    try bench.settle()
    #expect(journal.sessionReads == read)
    clock.advance(by: 10_000)
    try bench.settle()
    #expect(journal.sessionReads == read + 1)
    #expect(try bench.session("a").count == 1)
  }

  @Test func `a cancelled timer never fires`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("sleep"), Trial.step("quiet"), to: "a")
    try bench.post(Trial.step("sleep"), to: "a")
    try bench.post(Trial.step("quiet"), to: "a")
    let revision = try bench.session("a").state.revision
    bench.clock.advance(by: 5_000)
    try bench.settle()
    #expect(try bench.session("a").state.revision == revision)
    #expect(bench.events.isEmpty)
  }

  @Test func `a known value arrives after its delay`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("wait"), to: "a")
    bench.clock.advance(by: 500)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
  }

  @Test func `timers of many sessions fire by deadline`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["c", "a", "b"] {
      try bench.create(id)
      try bench.post(Trial.step("sleep"), to: id)
      bench.clock.advance(by: 10)
    }
    let before = journal.batches.count
    bench.clock.advance(by: 10_000)
    try bench.settle()
    let order = journal.batches.dropFirst(before).flatMap { $0.sessions.map(\.record.id) }
    #expect(order == ["c", "a", "b"])
  }

  @Test func `effects that became due while the service was down run once after the start`() throws {
    let clock = ManualClock()
    do {
      let bench = try StoreBench(journal, clock: clock)
      try bench.create("a")
      try bench.create("b")
      try bench.post(Trial.step("sleep"), Trial.step("ring"), to: "a")
      bench.store.stop()
    }
    clock.advance(by: 65_000)
    for _ in 1...2 {
      journal.reopen()
      let bench = try StoreBench(journal, clock: clock)
      defer { bench.store.stop() }
      try bench.settle()
      let session = try bench.session("a")
      #expect(session.count == 1)
      #expect(session.pages == [0, 100])
      #expect(session.state.effects.map(\.ticks) == [6])
    }
  }

  @Test func `the effects of a session run although it is not in memory`() throws {
    let bench = try StoreBench(journal, limits: StoreLimits(cache: 1))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("sleep"), to: "a")
    try bench.create("b")
    try bench.create("c")
    bench.clock.advance(by: 1_000)
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 100])
  }

  @Test func `the timers of a deleted session are removed`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("ring"), to: "a")
    try bench.delete("a")
    let written = journal.batches.count
    bench.clock.advance(by: 100_000)
    try bench.settle()
    #expect(journal.batches.count == written)
    #expect(bench.events.isEmpty)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `A manual clock` {
  let journal = MemoryJournal()

  private func bench(_ commands: Command...) throws -> StoreBench {
    let bench = try StoreBench(journal, clock: ManualClock(1_000))
    try bench.create("a", creation: Creation(manualClock: true))
    for command in commands { try bench.post(command, to: "a") }
    return bench
  }

  @Test func `a manual clock does not follow the clock of the machine`() throws {
    let bench = try bench(Trial.step("sleep"))
    defer { bench.store.stop() }
    bench.clock.advance(by: 50_000)
    try bench.settle()
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.session("a").pages == [0, 1])
    #expect(try bench.history(of: "a").items.map(\.entry.stamp.time) == [1_000, 1_000, 1_000])
  }

  @Test func `an advance writes an entry for each due effect`() throws {
    let bench = try bench(Trial.step("sleep"), Trial.step("ring"))
    defer { bench.store.stop() }
    let posted = try bench.post(.advance(by: 25_000), to: "a")
    #expect(posted.session.pages == [0, 100])
    #expect(posted.session.count == 2)
    #expect(posted.performed.count == 1)
    #expect(posted.performed.first?.revision == 7)
    #expect(try bench.history(of: "a", after: 3).items.map(\.entry.stamp.time) == [2_000, 11_000, 21_000, 26_000])
    #expect(try bench.session("a", at: 5).count == 1)
  }

  @Test func `a load is not sent before the manual clock reaches its time, and is sent then`() throws {
    let bench = try bench(Trial.step("fetchLater"))
    defer { bench.store.stop() }
    bench.clock.advance(by: 100_000)
    try bench.post(.advance(by: 4_999), to: "a")
    try bench.settle()
    #expect(bench.outbound.count == 0)
    try bench.post(.advance(by: 1), to: "a")
    try bench.outbound.end(0, .json(["fresh": true]))
    try bench.settle()
    #expect(try bench.session("a").pages == [0, 200])
    #expect(try bench.history(of: "a").items.last?.entry.stamp.time == 6_000)
    #expect(bench.outbound.count == 1)
  }

  @Test func `a manual clock keeps its time across a restart`() throws {
    let first = try bench(Trial.step("sleep"), .advance(by: 400))
    first.store.stop()
    journal.reopen()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.settle()
    #expect(try bench.session("a").pages == [0])
    #expect(try bench.post(.advance(by: 600), to: "a").session.pages == [0, 100])
  }

  @Test func `a session on the clock of the machine rejects an advance`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    #expect(try bench.fault(.advance(by: 5), to: "a")?.word == "refused manual-clock-only at 0 by 1")
  }
}
