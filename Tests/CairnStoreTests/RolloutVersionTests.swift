import CairnJournal
import CairnTesting
import Testing

@testable import CairnStore

@Suite(.tags(.timing), .ownThreads) struct `Versions of a rollout` {
  @Test func `one that is noted late does not replace a newer one, and its report`() throws {
    let bench = try StoreBench(MemoryJournal())
    defer { bench.store.stop() }
    let rollout = Rollout(
      app: "trial", from: "hash-of-trial", to: "hash-of-trial2", moment: .now, rate: 40, isDryRun: false, since: 1, author: "eve")
    let begun = rollout.with(state: .paused)
    var reached = begun
    reached.version += 1
    reached.report.moved = 32
    for version in [reached, begun] { bench.store.releases.rolloutRunner.adopt(version) }
    #expect(bench.store.releases.rollouts["trial"] == reached)
  }
}
