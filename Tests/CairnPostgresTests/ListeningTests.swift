import CairnCore
import CairnJournal
@testable import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

/// Two nodes with separate stores on one database.
final class TwoNodes {
  let a, b: StoreBench
  let journals: [PostgresJournal]
  private let pooler: Pooler?

  /// The shared schema. If `pooler` is given, the nodes' connections go through PgBouncer.
  let schema: TemporarySchema

  init(through pooler: Pooler? = nil) throws {
    self.pooler = pooler
    schema = try TemporarySchema(through: pooler)
    journals = [try schema.open(), try schema.open()]
    // The limits of the service, with its frequent background check of sessions.
    let limits = StoreLimits()
    a = try StoreBench(journals[0], limits: limits)
    b = try StoreBench(journals[1], limits: limits)
  }

  deinit {
    a.store.stop()
    b.store.stop()
  }
}

@Suite(.tags(.timing), .ownThreads) struct `Listening at another node` {
  /// Records the revisions and the end that a listener receives.
  private final class Listener: SessionListener {
    let contents = Monitor<(revisions: [Int], ending: FeedEnding?)>(([], nil))

    func hear(_ new: ArraySlice<Occurrence>) { contents.change { $0.revisions += new.map(\.revision) } }
    func reset(to session: Session) { Issue.record("nothing is lost") }
    func end(_ ending: FeedEnding) { contents.change { $0.ending = ending } }
    func whenReady(_ note: @escaping @Sendable () -> Void) { note() }
  }

  @Test(arguments: [false, true])
  func `a stream at one node has every commit of the other once and in order`(isPooled: Bool) throws {
    let nodes = try TwoNodes(through: isPooled ? Pooler() : nil)
    try nodes.a.create("s")
    let subscription = nodes.b.store.feed.subscription("s")
    let seen = try nodes.b.session("s")
    let listener = Listener()
    subscription.join(behind: RevisionTag(1), of: seen, listener)
    for number in 0..<20 { try nodes.a.post(Trial.page(number), to: "s") }
    try listener.contents.wait(for: "20 events") { $0.revisions.count >= 20 ? () : nil }
    for number in 20..<40 { try (number % 2 == 0 ? nodes.a : nodes.b).post(Trial.page(number), to: "s") }
    try listener.contents.wait(for: "40 events") { $0.revisions.count >= 40 ? () : nil }
    #expect(listener.contents.withLock { $0.revisions } == Array(2...41))
    subscription.leave()
  }

  @Test func `a commit before the subscription of a new listener is not missed`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    for _ in 0..<10 {
      let subscription = nodes.b.store.feed.subscription("s")
      let seen = try nodes.b.session("s")
      let posted = try nodes.a.post(Trial.page(1), to: "s")
      let listener = Listener()
      subscription.join(behind: RevisionTag(seen.state.revision), of: seen, listener)
      try listener.contents.wait(for: "the event") { $0.revisions.last == posted.session.state.revision ? () : nil }
      subscription.leave()
    }
  }

  @Test func `a listener that reconnects to a random node 200 times has every commit once and in order`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    var random = Chance(seed: 30)
    var heard = 1
    for round in 0..<200 {
      let node = Bool.random(using: &random) ? nodes.a : nodes.b
      let subscription = node.store.feed.subscription("s")
      let listener = Listener()
      subscription.join(behind: RevisionTag(heard), of: try node.session("s"), listener)
      // After the listener has joined, each node commits once. In some rounds the listener leaves before it receives a further commit.
      let posted = [try nodes.a.post(Trial.page(round), to: "s"), try nodes.b.post(Trial.page(round), to: "s")]
      let last = posted.map(\.session.state.revision).max()!
      try listener.contents.wait(for: "revision \(last)") { $0.revisions.last.map { $0 >= last } == true ? () : nil }
      if Bool.random(using: &random) { try (Bool.random(using: &random) ? nodes.a : nodes.b).post(Trial.page(round), to: "s") }
      subscription.leave()
      let contents = listener.contents.withLock { $0 }
      #expect(contents.revisions == Array(heard + 1..<heard + 1 + contents.revisions.count))
      #expect(contents.ending == nil)
      heard += contents.revisions.count
    }
    #expect(heard > 400)
  }

  @Test func `a change that is known before its listener joins is not missed`() throws {
    let nodes = try TwoNodes()
    for id in ["s", "other"] { try nodes.a.create(id) }
    let marker = nodes.b.store.feed.subscription("other")
    let mark = Listener()
    marker.join(behind: RevisionTag(1), of: try nodes.b.session("other"), mark)
    let subscription = nodes.b.store.feed.subscription("s")
    let seen = try nodes.b.session("s")
    try nodes.a.post(Trial.page(1), to: "s")
    try nodes.a.post(Trial.page(1), to: "other")
    // When the node reports the second change, it has read both changes.
    try mark.contents.wait(for: "the other session's event") { $0.revisions == [2] ? () : nil }
    let listener = Listener()
    subscription.join(behind: RevisionTag(1), of: seen, listener)
    try listener.contents.wait(for: "the event") { $0.revisions == [2] ? () : nil }
  }

  @Test func `streams of a session end at all nodes when it is deleted`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    let subscription = nodes.b.store.feed.subscription("s")
    let listener = Listener()
    subscription.join(behind: RevisionTag(1), of: try nodes.b.session("s"), listener)
    try nodes.a.delete("s")
    #expect(try listener.contents.wait(for: "the end") { $0.ending } == .deleted)
    #expect(throws: StoreFault.self) { try nodes.b.session("s") }
  }

  @Test func `a request that waits at one node is answered when the other commits`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    let ended = Monitor<WaitEnding?>(nil)
    let subscription = nodes.b.store.feed.subscription("s")
    let seen = try nodes.b.session("s")
    subscription.wait(past: seen, until: .max, while: { true }) { ending in ended.change { $0 = ending } }
    try nodes.a.post(Trial.page(1), to: "s")
    #expect(try ended.wait(for: "the answer") { $0 } == .changed)
  }

  /// Records the entries and the states that a listener receives, by their tags.
  private final class Following: SessionListener {
    let tags = Monitor<[String]>([])

    func hear(_ new: ArraySlice<Occurrence>) { tags.change { $0 += new.map { "\($0.tag)" } } }
    func reset(to session: Session) { tags.change { $0.append("reset \(session.tag)") } }
    func end(_ ending: FeedEnding) { tags.change { $0.append("\(ending)") } }
    func whenReady(_ note: @escaping @Sendable () -> Void) { note() }
  }

  @Test func `when commits are lost, a stream at each node begins again before it has what the other node commits then`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("s")
    try nodes.a.post(Trial.page(1), to: "s")
    try nodes.schema.sql("CREATE TABLE @heads_before AS SELECT * FROM @heads")
    for page in 2...4 { try nodes.a.post(Trial.page(page), to: "s") }
    let lost = try nodes.b.session("s")
    let listeners = try [nodes.a, nodes.b].map { bench in
      let (subscription, following) = (bench.store.feed.subscription("s"), Following())
      subscription.join(behind: lost.tag, of: try bench.session("s"), following)
      return (subscription, following)
    }
    try nodes.schema.sql("DELETE FROM @pages WHERE revision > 2")
    try nodes.schema.sql("DELETE FROM @snapshots WHERE revision > 2")
    try nodes.schema.sql(
      """
      UPDATE @heads h SET revision = b.revision, hash = b.hash, updated_at = b.updated_at FROM @heads_before b
      WHERE b.session = h.session
      """)
    let posted = try nodes.b.post(Trial.page(9), to: "s").session
    #expect(posted.pages == [0, 1, 9] && posted.state.revision == 3)
    for (subscription, following) in listeners {
      let tags = try following.tags.wait(for: "what follows the loss") { $0.last?.hasSuffix("\(posted.tag)") == true ? $0 : nil }
      #expect(tags.first?.hasPrefix("reset ") == true)
      subscription.leave()
    }
    #expect(nodes.a.store.figures.lostRevisions > 0 && nodes.b.store.figures.lostRevisions > 0)
  }

  /// Records the events that a subscriber of all sessions receives.
  private final class Viewer: AllSessionsSubscriber {
    let contents = Monitor<[String]>([])

    func hear(_ events: ArraySlice<FeedEvent>) {
      contents.change { contents in
        for event in events {
          switch event.content {
          case .happened(let occurrence): contents.append("\(event.identity.id) \(occurrence.revision)")
          case .ended(_, let ending, _): contents.append("\(event.identity.id) \(ending)")
          case .forgotten: break
          }
        }
      }
    }
    func reset(at number: Int) { contents.change { $0.append("reset") } }
    func end(_ ending: FeedEnding) {}
  }

  @Test func `a subscriber of all sessions has the events of both nodes, of each session once and in order`() throws {
    let nodes = try TwoNodes()
    try nodes.a.create("old")
    let viewer = Viewer()
    let number = nodes.b.store.feed.join(received: nil, viewer)
    defer { nodes.b.store.feed.leave(number) }
    try viewer.contents.wait(for: "the first event") { $0 == ["reset"] ? () : nil }
    try nodes.a.create("s")
    for page in 0..<20 { try (page % 2 == 0 ? nodes.a : nodes.b).post(Trial.page(page), to: "s") }
    try nodes.b.post(Trial.page(1), to: "old")
    // The events of a deleted session could no longer be read.
    try viewer.contents.wait(for: "the changes") { $0.contains("s 21") && $0.contains("old 2") ? () : nil }
    try nodes.a.delete("s")
    try nodes.b.delete("old")
    let events = try viewer.contents.wait(for: "the ends") { $0.contains("s deleted") && $0.contains("old deleted") ? $0 : nil }
    #expect(events.filter { $0.hasPrefix("s ") } == (1...21).map { "s \($0)" } + ["s deleted"])
    #expect(events.filter { $0.hasPrefix("old ") } == ["old 2", "old deleted"])
    #expect(events.count == 25, "there is one reset")
  }
}

@Suite(.tags(.timing), .ownThreads) struct `The connection for signals` {
  @Test func `is found out to be dead while nothing is committed, and opened again`() throws {
    let server = try PostgresServer.shared.get()
    let proxy = try CuttingProxy(to: server.port)
    let target = try PostgresTarget("postgres://cairn@127.0.0.1:\(proxy.port)/postgres")
    let events = Monitor<[StoreEvent]>([])
    let signals = CommitSignals(target, BackgroundFaults { event in events.change { $0.append(event) } }, silence: .milliseconds(20))
    let arrivals = Monitor(0)
    try signals.start { arrivals.change { $0 += 1 } }
    defer { signals.stop() }
    try arrivals.wait(for: "the connection") { $0 > 0 ? () : nil }
    #expect(signals.isListening)
    // From now on nothing that the server sends arrives, and the connection stays open.
    proxy.cutNext(CuttingProxy.Cut(isOfAnswer: true, isSilent: true))
    let told = try events.wait(for: "the end of the connection, and a new one") { $0.count == 2 ? $0 : nil }
    #expect(signals.isListening)
    #expect(told.last == .backgroundRecovered(.signals), "\(told)")
  }
}
