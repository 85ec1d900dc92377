import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `The history of a period` {
  let journal = MemoryJournal()

  /// A session with entries at 0, 10, 20, … 200 seconds after its creation.
  private func bench() throws -> (bench: StoreBench, start: Int) {
    let bench = try StoreBench(journal)
    try bench.create("a")
    let start = bench.clock.now()
    for page in 1...20 {
      bench.clock.advance(by: 10_000)
      try bench.post(Trial.page(page), to: "a")
    }
    return (bench, start)
  }

  private func page(
    _ bench: StoreBench, after: Int? = nil, _ since: Int?, _ until: Int?, limit: Int = 100, isByClient: Bool = false
  ) throws -> HistoryPage<Int> {
    let period = HistoryPeriod(since: since, until: until, isByClient: isByClient)
    return try awaiting { reply in
      bench.store.history(of: "a", after: after, in: period, limit: limit, as: { ($0.entry.revision, 0) }, reply: reply)
    }.get()
  }

  @Test(
    arguments: [
      (nil, nil, 1...21), (0, nil, 1...21), (1, nil, 2...21), (10_000, 10_001, 2...2), (50_000, 80_000, 6...8), (nil, 200_000, 1...20),
      (200_000, nil, 21...21), (-50, 1, 1...1),
    ] as [(Int?, Int?, ClosedRange<Int>)])
  func `has the entries from its beginning to before its end`(since: Int?, until: Int?, revisions: ClosedRange<Int>) throws {
    let (bench, start) = try bench()
    defer { bench.store.stop() }
    let (first, end) = (since.map { $0 + start }, until.map { $0 + start })
    for isByClient in [false, true] {
      let all = try page(bench, first, end, isByClient: isByClient)
      #expect(all.items == Array(revisions) && !all.more)
    }
    let one = try page(bench, after: revisions.lowerBound, first, end, limit: 1)
    #expect(one.items == Array(revisions.dropFirst().prefix(1)) && one.more == (revisions.count > 2))
  }

  @Test(arguments: [(200_001, nil), (nil, 0), (10_001, 20_000), (50_000, 50_000)] as [(Int?, Int?)])
  func `is empty if no entry is in it`(since: Int?, until: Int?) throws {
    let (bench, start) = try bench()
    defer { bench.store.stop() }
    let all = try page(bench, since.map { $0 + start }, until.map { $0 + start })
    #expect(all.items == [] && !all.more)
  }
}
