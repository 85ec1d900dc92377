import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

/// Threads post and advance a clock while subscribers leave and reconnect at any revision, and readers find newer commits. No subscriber
/// misses an entry or receives one twice, and every subscriber receives the entries of the history.
@Suite(.tags(.timing), .ownThreads) struct `No entry is missed and none is repeated` {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `random posts, reconnects and reads`(seed: UInt64) throws {
    let journal = MemoryJournal()
    // With every other seed, the cache holds almost no session.
    let limits = seed % 2 == 0 ? StoreLimits() : StoreLimits(cache: 1)
    let bench = try StoreBench(journal, limits: limits)
    let ids = ["a", "b", "c"]
    for id in ids { try bench.create(id) }
    // While a page is read for a subscriber, a further commit may arrive (at most 200 in total).
    let inner = Lock((chance: Chance(seed: seed &* 7), left: 200))
    journal.whenRead { id in
      let isPosting = inner.withLock { inner -> Bool in
        guard inner.left > 0, inner.chance.isHeads(oneIn: 2) else { return false }
        inner.left -= 1
        return true
      }
      if isPosting { _ = try? bench.post(Trial.page(7), to: id) }
    }
    let posters = try (0..<3).map { number in
      try NamedThread("poster") {
        var chance = Chance(seed: seed &* 31 &+ UInt64(number))
        for _ in 0..<80 { Self.act(&chance, on: chance.pick(ids), bench) }
      }
    }
    let faults = Lock<[String]>([])
    let listeners = try (0..<6).map { number in
      try NamedThread("listener") {
        var chance = Chance(seed: seed &* 57 &+ UInt64(number))
        let id = ids[number % ids.count]
        let found = Result { try Self.listen(&chance, to: id, bench) }
        switch found {
        case .success(let wrong): faults.withLock { $0 += wrong }
        case .failure(let error): faults.withLock { $0.append("\(id): \(error)") }
        }
      }
    }
    for thread in posters + listeners { thread.join() }
    #expect(faults.withLock { $0 } == [])
    journal.whenRead(nil)
    bench.store.stop()
  }

  private static func act(_ chance: inout Chance, on id: String, _ bench: StoreBench) {
    switch chance.below(10) {
    case 0: bench.clock.advance(by: 1_000)
    case 1: _ = try? bench.post(Trial.step("sleep"), to: id)
    case 2: _ = try? bench.post(Trial.step("ring"), to: id)
    case 6:
      _ = try? bench.post(Trial.step("fetch"), to: id)
      if bench.outbound.count > 0 { try? bench.outbound.end(chance.below(bench.outbound.count), .json(.null)) }
    case 3: _ = try? bench.post(.action(.popToRoot), to: id)
    case 4:
      let commands = (0..<chance.below(100)).map(Trial.page)
      _ = try? awaiting { bench.store.post(commands + [.action(.popToRoot)], to: id, reply: $0) }.get()
    default: _ = try? bench.post(Trial.page(chance.below(100)), to: id)
    }
  }

  /// Subscribes, leaves and subscribes again, sometimes at an older revision. Returns the faults that occurred.
  private static func listen(_ chance: inout Chance, to id: String, _ bench: StoreBench) throws -> [String] {
    var faults: [String] = []
    var all: [Int: Occurrence] = [:]
    var last = 1
    for _ in 0..<12 {
      let behind = chance.isHeads(oneIn: 3) ? 1 + chance.below(last) : last
      let subscription = bench.store.feed.subscription(id)
      let seen = try bench.session(id)
      let heard = Heard(behind: behind)
      subscription.join(behind: RevisionTag(behind), of: seen, heard)
      try heard.wait(for: seen.state.revision)
      if chance.isHeads(oneIn: 2), let posted = try? bench.post(Trial.page(1), to: id) {
        try heard.wait(for: posted.session.state.revision)
      }
      subscription.leave()
      last = max(behind, heard.last)
      faults += heard.faults
      for occurrence in heard.occurrences { all[occurrence.revision] = occurrence }
    }
    for item in try bench.history(of: id, limit: 10_000).items {
      guard let occurrence = all[item.entry.revision] else { continue }
      if occurrence.entry != item.entry || occurrence.transition != item.transition {
        faults.append("\(id) \(item.entry.revision) differs")
      }
    }
    if last > 1, all.count < last - 1 { faults.append("\(id): \(all.count) of \(last - 1) were heard") }
    return faults
  }
}
