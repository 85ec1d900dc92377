import CairnCore
import CairnStore
import CairnTesting
import Testing

@Suite struct `Invariants with modals on levels` {
  /// Counts situations in a random session.
  private struct Seen {
    var raised = 0
    var waiting = 0
    var actions = 0
  }

  @Test(arguments: 0..<6) func `the client tree, accepts, reachable nodes, stored bytes and replay agree`(block: Int) throws {
    var seen = Seen()
    for seed in (block * 1_000)..<(block * 1_000 + 40) {
      let definition = RandomDefinition.raised(seed: UInt64(seed))
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      var stored = StateFormat.empty
      for _ in 0..<60 where drive.state.nodes.count < 100 {
        let before = drive.state
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.make(&chance, for: drive.state, isOdd: true))
        }
        seen.actions += 1
        seen.raised += drive.tree.levels?.count ?? 0
        seen.waiting += drive.state.nodes.values.count { $0.waits }
        try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
        if seen.actions % 8 == 0 { try #require(drive.falsePromises == [], "seed \(seed)") }
        if drive.state.revision != before.revision {
          try StateFormat.apply(StateFormat.difference(from: stored.revision == 0 ? .init() : before, to: drive.state), to: &stored)
          try #require(stored == drive.state, "seed \(seed): the disk")
        }
      }
      #expect(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
      #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
    }
    #expect(seen.raised > seen.actions / 20 && seen.waiting > seen.actions / 20, "\(seen)")
  }
}
