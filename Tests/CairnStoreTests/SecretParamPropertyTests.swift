import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Kept secret params` {
  /// Posts random steps, ends calls, restarts the store, and undoes changes. Before the first undo, the journal keeps exactly the secrets to which the
  /// state refers. Afterwards some of these may be missing, but the journal keeps no others.
  @Test(arguments: 0..<8) func `the journal keeps the secrets to which the state refers, and no others`(seed: Int) throws {
    var chance = Chance(seed: UInt64(seed) &* 7_919 &+ 1)
    let journal = MemoryJournal()
    var bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    var posted: Set<String> = []
    var hasUndone = false
    var ended = 0
    var most = 0
    for number in 0..<80 {
      let pin = "pin-\(seed)-\(number)"
      switch chance.below(9) {
      case 0...1:
        try bench.post(Trial.step("openSafe", ["pin": .string(pin)]), to: "a")
        posted.insert(pin)
      case 2: _ = try bench.fault(Trial.step("closeSafe"), to: "a")
      case 3:
        _ = try bench.fault(Trial.step("sendPin", ["pin": .string(pin)]), Trial.step("openSafe", ["pin": .string(pin + "b")]), to: "a")
        posted.formUnion([pin, pin + "b"])
      case 4: _ = try bench.fault(Trial.step("sendAgain"), to: "a")
      case 5: _ = try bench.fault(Trial.step("quiet"), to: "a")
      case 6 where ended < bench.outbound.count:
        try bench.outbound.end(ended, chance.isHeads(oneIn: 2) ? .json(1) : .failed("http-status: 403"))
        ended += 1
      case 7 where number > 50:
        try bench.undo("a", to: 1 + chance.below(try bench.session("a").state.revision))
        hasUndone = true
      case 8 where chance.isHeads(oneIn: 3):
        bench.store.stop()
        journal.reopen()
        bench = try StoreBench(journal)
        ended = 0
      default: _ = try bench.fault(Trial.step("openSafe", ["pin": .string(pin)]), Trial.nonsense, to: "a")
      }
      try bench.settle()
      let secrets = journal.secrets(of: "a")
      let referred = try bench.session("a").state.secrets
      let kept = Set(secrets.keys.compactMap { if case .param(let number) = $0 { number } else { nil } })
      #expect(hasUndone ? kept.isSubset(of: referred) : kept == referred, "\(number): \(kept.symmetricDifference(referred))")
      #expect(Set(secrets.values).count == kept.count && posted.isSuperset(of: secrets.values))
      most = max(most, kept.count)
    }
    #expect(most > 2)
  }
}
