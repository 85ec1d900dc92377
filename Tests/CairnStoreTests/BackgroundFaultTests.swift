import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Failures in the background` {
  /// The background loops of a store that use the journal.
  private static let loops: [BackgroundTask] = [.expiry, .retention, .rollout, .sampling, .changes]

  @Test(arguments: loops) func `of each loop are counted, and a series is logged once with its end`(_ task: BackgroundTask) throws {
    let journal = MemoryJournal(isShared: task == .changes)
    journal.fail(task, with: .io("gone"))
    let bench = try StoreBench(journal, limits: StoreLimits(sampling: 1))
    defer { bench.store.stop() }
    // Without a subscriber, the feed does not read the changes.
    try bench.create("a")
    let heard = task == .changes ? try bench.listen(to: "a") : nil
    defer { withExtendedLifetime(heard) {} }
    func failures() -> Int { bench.store.figures.backgroundFaults[task] ?? 0 }
    func told() -> [StoreEvent] {
      bench.events.filter {
        switch $0 {
        case .backgroundFailed, .backgroundRecovered: true
        default: false
        }
      }
    }
    try wait(for: "a failure") { failures() > 0 }
    // The clock wakes the loops that wait for their next round.
    let before = failures()
    try wait(for: "another failure") {
      bench.clock.advance(by: 1)
      return failures() > before
    }
    #expect(told() == [.backgroundFailed(task, reason: "\(JournalError.io("gone"))")])
    journal.fail(task, with: nil)
    try wait(for: "the recovery") {
      bench.clock.advance(by: 1)
      return told().count > 1
    }
    #expect(told().last == .backgroundRecovered(task))
  }

  @Test func `are logged again for another reason, and a stop is not a failure`() {
    let events = Lock<[StoreEvent]>([])
    let faults = BackgroundFaults(expecting: StoreFault.isExpectedInBackground) { event in events.withLock { $0.append(event) } }
    for reason in ["one", "one", "two"] { faults.note(.expiry, reason) }
    #expect(faults.attempt(.expiry) { () throws(JournalError) -> Int in throw .closed } == nil)
    #expect(faults.attempt(.expiry) { () throws(StoreFault) -> Int in throw .stopping } == nil)
    #expect(faults.counts == [.expiry: 3])
    faults.round(.expiry) { faults.note(.expiry, "two") }
    faults.round(.expiry) {}
    faults.succeeded(.expiry)
    #expect(
      events.withLock { $0 } == [
        .backgroundFailed(.expiry, reason: "one"), .backgroundFailed(.expiry, reason: "two"), .backgroundRecovered(.expiry),
      ])
  }
}
