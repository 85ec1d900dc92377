import CairnCore
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Predictions of actions` {
  private func predict(_ commands: [Command], of bench: StoreBench) throws -> Predictions {
    try awaiting { bench.store.predict(commands, to: "a", reply: $0) }.get()
  }

  private func bench(work: Int? = nil) throws -> StoreBench {
    var limits = StoreBench.limits
    if let work { limits.bounds.work = work }
    let bench = try StoreBench(MemoryJournal(), limits: limits)
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    return bench
  }

  @Test func `predicting stores nothing, starts nothing, and each action begins at the present state`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    let before = try bench.session("a")
    let predictions = try predict([Trial.page(2), Trial.step("fetch"), .token("t"), Trial.page(3), Trial.nonsense], of: bench)
    #expect(predictions.session.tag == before.tag)
    let changes = predictions.all.map { try? $0.result.get().changes.count }
    #expect(changes == [1, 1, 0, 1, nil])
    bench.clock.advance(by: 86_400_000)
    try bench.settle()
    #expect(try bench.session("a").tag == before.tag && bench.outbound.count == 0)
    #expect(try bench.post(Trial.page(3), to: "a").performed.map(\.transition) == [predictions.all[3].result.get()])
  }

  @Test func `the actions of a state are predicted until the work of one request is used up`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    let all = bench.store.predictions(from: .session(try bench.session("a"))).map(\.action)
    #expect(all.count > 8 && all.prefix(2) == [.pop(count: 1, node: nil), .popTo(.screen("home"))])
    var counts: Set<Int> = []
    for work in 1...400 {
      // If the limit on work is too low, the session cannot be created.
      guard let bounded = try? self.bench(work: work) else { continue }
      defer { bounded.store.stop() }
      let some = bounded.store.predictions(from: .session(try bounded.session("a"))).map(\.action)
      #expect(some == Array(all.prefix(some.count)))
      counts.insert(some.count)
    }
    #expect(counts.contains { $0 > 0 && $0 < all.count }, "\(counts)")
  }

  @Test func `only the newest event holds the state from which its predictions are computed, once`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    let (subscription, heard) = try bench.listen(to: "a")
    try bench.post(Trial.page(2), to: "a")
    try bench.post(Trial.page(3), Trial.page(4), to: "a")
    try heard.wait(for: 5)
    var made = 0
    for event in heard.occurrences { #expect((event.basis != nil) == (event.revision == 5)) }
    for _ in 1...2 {
      #expect((heard.occurrences.last?.bytes(madeWith: .predictions) != nil) == (made > 0))
      _ = heard.occurrences.last?.bytes(with: .predictions) { _ in
        made += 1
        return [1]
      }
    }
    #expect(made == 1)
    try bench.post(Trial.page(5), to: "a")
    try heard.wait(for: 6)
    subscription.leave()
    // The feed processes events in order, so the first subscription has ended when the second one receives a change.
    let (other, again) = try bench.listen(to: "a")
    defer { other.leave() }
    try bench.post(Trial.page(6), to: "a")
    try again.wait(for: 7)
    let last = try #require(heard.occurrences.last)
    #expect(last.revision == 6 && last.basis == nil)
  }

  @Test func `an event that is read from the journal is predicted from the same state`() throws {
    let bench = try bench()
    defer { bench.store.stop() }
    for page in 2...5 { try bench.post(Trial.page(page), to: "a") }
    let (subscription, heard) = try bench.listen(to: "a", behind: 1)
    defer { subscription.leave() }
    try heard.wait(for: 6)
    let expected = bench.store.predictions(from: .session(try bench.session("a")))
    for event in heard.occurrences {
      guard let basis = event.basis else {
        #expect(event.revision < 6)
        continue
      }
      let predictions = bench.store.predictions(from: basis)
      #expect(event.revision == 6 && predictions.map(\.action) == expected.map(\.action))
      #expect(predictions.map { try? $0.result.get() } == expected.map { try? $0.result.get() })
    }
    #expect(heard.occurrences.count == 5)
  }
}
