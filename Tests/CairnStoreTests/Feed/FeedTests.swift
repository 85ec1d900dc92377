import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Subscriptions to sessions` {
  let journal = MemoryJournal()

  @Test func `events are the entries of the history`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", creation: Creation(manualClock: true))
    let (subscription, heard) = try bench.listen(to: "a")
    defer { subscription.leave() }
    for command in [
      Trial.page(4), Trial.step("ring"), Trial.step("sleep"), .advance(by: 25_000), .token("t"), .action(.pop(count: 1, node: nil)),
    ] {
      try bench.post(command, to: "a")
    }
    let history = try bench.history(of: "a", after: 1).items
    try heard.wait(for: history.count + 1)
    #expect(heard.occurrences.map(\.entry) == history.map(\.entry) && heard.faults.isEmpty)
    #expect(heard.occurrences.map(\.transition) == history.map(\.transition))
    #expect(history.count > 6, "the clock made several")
  }

  @Test func `rejected actions, actions without effect and failed commits are not published`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let (subscription, heard) = try bench.listen(to: "a")
    defer { subscription.leave() }
    _ = try bench.fault(Trial.page(1), Trial.nonsense, to: "a")
    try bench.post(Trial.step("nothing"), to: "a")
    try bench.post(Trial.page(2), to: "a")
    try heard.wait(for: 2)
    #expect(heard.revisions == [2])
    #expect(try bench.session("a").pages == [0, 2])
    journal.fail(with: .full)
    _ = try bench.fault(Trial.page(3), to: "a")
    journal.fail(with: nil)
    try bench.post(Trial.page(4), to: "a")
    try heard.wait(for: 3)
    #expect(try bench.history(of: "a", after: 2).items.map(\.entry) == heard.occurrences.suffix(1).map(\.entry))
  }

  @Test func `a subscriber with a long backlog gets a page only after it took the one before, and then new entries`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for number in 0..<300 { try bench.post(number.isMultiple(of: 2) ? Trial.page(number) : .action(.pop(count: 1, node: nil)), to: "a") }
    let subscription = bench.store.feed.subscription("a")
    defer { subscription.leave() }
    let heard = Heard(behind: 1)
    heard.takePagesWhenTold()
    subscription.join(behind: RevisionTag(1), of: try bench.session("a"), heard)
    try heard.wait(for: 129)
    try bench.post(Trial.page(1_000), to: "a")
    #expect(heard.last == 129, "it is not asked for more than it takes")
    try heard.takePage()
    try heard.wait(for: 257)
    try heard.takePage()
    try heard.wait(for: 302)
    #expect(heard.faults.isEmpty)
  }

  @Test func `all subscribers share the encoded bytes of an entry`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let listeners = try (0..<20).map { _ in try bench.listen(to: "a") }
    try bench.post(Trial.page(1), to: "a")
    for (_, heard) in listeners { try heard.wait(for: 2) }
    #expect(Set(listeners.compactMap { $0.heard.occurrences.first.map(ObjectIdentifier.init) }).count == 1)
    let made = Lock(0)
    for (subscription, heard) in listeners {
      _ = heard.occurrences.first?.bytes(with: nil) { _ in
        made.withLock { $0 += 1 }
        return [1]
      }
      subscription.leave()
    }
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `subscribers with the same backlog share its read, and a subscriber without backlog causes no read`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...200 { try bench.post(Trial.page(page), to: "a") }
    journal.forgetReads()
    let upToDate = try (0..<50).map { _ in try bench.listen(to: "a") }
    try bench.post(Trial.page(201), to: "a")
    for (_, heard) in upToDate { try heard.wait(for: 202) }
    #expect(journal.reads.isEmpty)
    let listeners = try (0..<50).map { try bench.listen(to: "a", behind: 100 + $0 % 3) }
    for (_, heard) in listeners { try heard.wait(for: 202) }
    #expect(journal.reads.count < 20, "of 50 who missed 100 entries: \(journal.reads)")
    #expect(listeners.allSatisfy { $0.heard.faults.isEmpty })
    for (subscription, _) in upToDate + listeners { subscription.leave() }
  }

  @Test func `a commit with more entries than the feed keeps is read from the journal`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let (subscription, heard) = try bench.listen(to: "a")
    defer { subscription.leave() }
    let commands = (1...500).map(Trial.page)
    _ = try awaiting { bench.store.post(commands, to: "a", reply: $0) }.get()
    try heard.wait(for: 501)
    #expect(heard.revisions == Array(2...501) && heard.faults.isEmpty)
    #expect(!journal.reads.isEmpty)
  }

  @Test func `an end is sent after all events before it, and to later subscribers`() throws {
    let bench = try StoreBench(journal, limits: StoreLimits(sessionTTL: 60_000))
    for id in ["a", "b"] { try bench.create(id) }
    let (subscription, heard) = try bench.listen(to: "a")
    let (other, expired) = try bench.listen(to: "b")
    let late = bench.store.feed.subscription("a")
    let seen = try bench.session("a")
    try bench.post(Trial.page(1), to: "a")
    try bench.delete("a")
    #expect(try heard.ending() == .deleted && heard.revisions == [2])
    let tardy = Heard(behind: 1)
    late.join(behind: RevisionTag(1), of: seen, tardy)
    #expect(try tardy.ending() == .deleted)
    bench.clock.advance(by: 60_000)
    #expect(try expired.ending() == .expired)
    try bench.create("c")
    let (last, stopped) = try bench.listen(to: "c")
    bench.store.stop()
    #expect(try stopped.ending() == .stopping)
    let never = Heard(behind: 1)
    bench.store.feed.subscription("c").join(behind: RevisionTag(1), of: seen, never)
    #expect(try never.ending() == .stopping)
    for subscription in [subscription, other, late, last] { subscription.leave() }
  }

  @Test func `a backlog that cannot be read ends the stream as a fault`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...10 { try bench.post(Trial.page(page), to: "a") }
    bench.store.leave()
    let (subscription, heard) = try bench.listen(to: "a", behind: 3)
    defer { subscription.leave() }
    #expect(try heard.ending() == .fault)
  }

  @Test func `a subscriber that has left receives nothing`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let (gone, left) = try bench.listen(to: "a")
    gone.leave()
    gone.leave()
    let (subscription, heard) = try bench.listen(to: "a")
    try bench.post(Trial.page(1), to: "a")
    try heard.wait(for: 2)
    #expect(left.revisions.isEmpty)
    subscription.leave()
  }

  @Test func `entries committed between subscription and joining are sent once`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    let subscription = bench.store.feed.subscription("a")
    try bench.post(Trial.page(1), to: "a")
    let seen = try bench.session("a")
    try bench.post(Trial.page(2), to: "a")
    try bench.post(Trial.page(3), to: "a")
    let heard = Heard(behind: 2)
    subscription.join(behind: RevisionTag(2), of: seen, heard)
    try bench.post(Trial.page(4), to: "a")
    try heard.wait(for: 5)
    #expect(heard.revisions == [3, 4, 5] && heard.faults.isEmpty)
    subscription.leave()
  }
}
