import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

/// A failover to a standby that has not received the newest commits, while the node and its subscribers continue.
@Suite(.tags(.timing), .ownThreads) struct `Revisions that a failover loses` {
  let journal = MemoryJournal(isShared: true)
  let bench: StoreBench
  let standby: MemoryJournal.Standby

  /// The session `s` at revision 3 on the standby, and at revision 6 at the node.
  init() throws {
    bench = try StoreBench(journal)
    try bench.create("s")
    for page in 1...2 { try bench.post(Trial.page(page), to: "s") }
    standby = journal.standby
    for page in 11...13 { try bench.post(Trial.page(page), to: "s") }
  }

  @Test func `subscribers receive the whole session at once, and then what follows it`() throws {
    defer { bench.store.stop() }
    let listeners = try (0..<3).map { _ in try bench.listen(to: "s") }
    journal.failOver(to: standby)
    for (_, heard) in listeners { #expect(try heard.reset().session.pages == [0, 1, 2]) }
    for page in 21...25 { try bench.post(Trial.page(page), to: "s") }
    for (subscription, heard) in listeners {
      try heard.wait(for: 8)
      #expect(try heard.reset().entries.map(\.revision) == Array(4...8))
      #expect(heard.faults.isEmpty && heard.resets == 1)
      #expect(heard.occurrences.map(\.hash) == (try bench.history(of: "s", after: 3).items.map(\.hash)))
      subscription.leave()
    }
  }

  @Test(arguments: [1, 3, 6])
  func `a commit of this node that does not continue what subscribers received shows the loss`(count: Int) throws {
    defer { bench.store.stop() }
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    journal.failOver(to: standby, isNoticed: false)
    // The new revisions stay below the lost ones, reach them, or pass them.
    let commands = (0..<count).map { Trial.page(30 + $0) }
    _ = try awaiting { bench.store.post(commands, to: "s", reply: $0) }.get()
    let found = try heard.reset()
    try heard.wait(for: 3 + count)
    #expect(try bench.session("s").pages.suffix(count) == (0..<count).map { 30 + $0 })
    #expect(found.session.state.revision + heard.occurrences.count == 3 + count)
    #expect(heard.resets == 1)
  }

  @Test func `new revisions of another node that pass the lost ones are not sent behind them`() throws {
    defer { bench.store.stop() }
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    let (waiting, late) = try bench.listen(to: "s", behind: 4)
    defer { waiting.leave() }
    try late.wait(for: 6)
    journal.failOver(to: standby, isNoticed: false)
    let other = try StoreBench(journal)
    defer { other.store.stop() }
    for page in 41...50 { try other.post(Trial.page(page), to: "s") }
    // The node learns of the other node's commits with its own next commit.
    try bench.post(Trial.page(51), to: "s")
    for listener in [heard, late] {
      try listener.wait(for: 14)
      let (session, entries) = try listener.reset()
      #expect(session.pages.starts(with: [0, 1, 2]) && session.pages.allSatisfy { $0 < 11 || $0 > 13 })
      #expect(entries.last.map(\.revision) ?? session.state.revision == 14)
    }
  }

  @Test func `a subscriber that received the lost entries as events begins again too`() throws {
    defer { bench.store.stop() }
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    let later = journal.standby
    for page in 14...16 { try bench.post(Trial.page(page), to: "s") }
    try heard.wait(for: 9)
    journal.failOver(to: later)
    #expect(try heard.reset().session.state.revision == 6)
  }

  @Test func `a request that waits behind a lost revision is answered`() throws {
    defer { bench.store.stop() }
    let subscription = bench.store.feed.subscription("s")
    let ended = Monitor<WaitEnding?>(nil)
    subscription.wait(past: try bench.session("s"), until: .max, while: { true }) { ending in ended.change { $0 = ending } }
    journal.failOver(to: standby)
    #expect(try ended.wait(for: "the answer") { $0 } == .changed)
    #expect(try bench.session("s").state.revision == 3)
  }

  @Test func `the streams of a session that is lost as a whole end`() throws {
    defer { bench.store.stop() }
    try bench.create("new")
    let (subscription, heard) = try bench.listen(to: "new")
    defer { subscription.leave() }
    journal.failOver(to: standby)
    #expect(try heard.ending() == .deleted)
  }

  @Test func `a loss is logged once and counted once, although a stream and a post notice it`() throws {
    defer { bench.store.stop() }
    let tag = try bench.session("s").tag
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    journal.failOver(to: standby)
    _ = try heard.reset()
    let now = try bench.session("s").tag
    try bench.post(Trial.page(1), to: "s")
    #expect(bench.store.figures.lostRevisions == 3)
    #expect(bench.events.filter { $0.session == "s" } == [.revisionsLost(session: "s", lost: "\(tag)", newest: "\(now)")])
  }

  @Test func `without subscribers a read and a post find the loss, and begin with what is left`() throws {
    defer { bench.store.stop() }
    let lost = try bench.session("s").tag
    journal.failOver(to: standby)
    #expect(try bench.fault(Trial.page(9), to: "s", matching: [6])?.word == "conflict 3")
    #expect(try bench.session("s").pages == [0, 1, 2])
    #expect(try bench.post(Trial.page(9), to: "s").session.pages == [0, 1, 2, 9])
    #expect(bench.store.figures.lostRevisions == 3)
    let found = try awaiting { bench.store.post([Trial.page(1)], to: "s", matching: [lost], reply: $0) }
    #expect(throws: StoreFault.self, "a lost tag is no condition that holds") { try found.get() }
  }

  /// Counts the messages that events were missed.
  private final class Viewer: AllSessionsSubscriber {
    let resets = Monitor(0)
    func hear(_ events: ArraySlice<FeedEvent>) {}
    func reset(at number: Int) { resets.change { $0 += 1 } }
    func end(_ ending: FeedEnding) {}
  }

  @Test func `subscribers of all sessions learn that they must read the list again`() throws {
    defer { bench.store.stop() }
    let viewer = Viewer()
    let number = bench.store.feed.join(received: nil, viewer)
    defer { bench.store.feed.leave(number) }
    try viewer.resets.wait(for: "the first event") { $0 == 1 ? () : nil }
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    journal.failOver(to: standby)
    _ = try heard.reset()
    bench.clock.advance(by: 1_000)
    try viewer.resets.wait(for: "the message about the loss") { $0 >= 2 ? () : nil }
  }

  @Test func `a server that has lost nothing lets subscribers go on`() throws {
    defer { bench.store.stop() }
    let (subscription, heard) = try bench.listen(to: "s")
    defer { subscription.leave() }
    journal.failOver(to: journal.standby)
    let marker = bench.store.feed.subscription("s")
    let ended = Monitor<WaitEnding?>(nil)
    marker.wait(past: try bench.session("s"), until: .max, while: { true }) { ending in ended.change { $0 = ending } }
    try bench.post(Trial.page(20), to: "s")
    try heard.wait(for: 7)
    #expect(try ended.wait(for: "the answer") { $0 } == .changed)
    #expect(heard.revisions == [7] && heard.resets == 0)
    #expect(bench.store.figures.lostRevisions == 0)
  }
}
