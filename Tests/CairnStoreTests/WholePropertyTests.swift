import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

/// Properties of the whole definition language. `CAIRN_DRIVE_SEEDS` sets the number of seeds, such as a higher one for a release build.
@Suite struct `Properties of the whole language` {
  /// Counts situations in a block of seeds. A property whose situation never occurred would prove nothing.
  private struct Seen {
    var actions = 0
    var levels = 0
    var waiting = 0
    var guarded = 0
    var resultReceivers = 0
    var collapsed = 0
    var links = 0
    var requests = 0
  }

  @Test(arguments: 0..<4) func `changes, ids, accepted actions, stored bytes and replay agree`(block: Int) throws {
    var seen = Seen()
    let wanted = ProcessInfo.processInfo.environment["CAIRN_DRIVE_SEEDS"].flatMap { Int($0) } ?? 320
    for seed in (block * 1_000_000)..<(block * 1_000_000 + wanted / 4) {
      let definition = RandomDefinition.whole(seed: UInt64(seed))
      let creation = Creation(manualClock: true, manualRequests: seed % 2 == 0)
      guard var drive = try? Drive(definition, creation: creation) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      var stored = StateFormat.empty
      for count in 0..<60 where drive.state.nodes.count < 100 {
        let before = drive.state
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.whole(&chance, for: drive.state))
        }
        note(drive, &seen)
        try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
        if count % 4 == 0 { try #require(drive.falsePromises == [], "seed \(seed), action \(count)") }
        guard drive.state.revision != before.revision else { continue }
        try StateFormat.apply(StateFormat.difference(from: stored.revision == 0 ? .init() : before, to: drive.state), to: &stored)
        try #require(stored == drive.state, "seed \(seed): the difference")
        try #require(
          StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state, "seed \(seed): the snapshot")
      }
      try #require(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
    }
    let rare = [seen.levels, seen.waiting, seen.guarded, seen.resultReceivers, seen.collapsed, seen.links, seen.requests]
    #expect(rare.allSatisfy { $0 > 0 }, "\(seen)")
  }

  private func note(_ drive: Drive, _ seen: inout Seen) {
    seen.actions += 1
    seen.levels += drive.tree.levels?.count ?? 0
    seen.guarded += drive.last.reason == "guarded" || drive.refusal?.code == .guarded ? 1 : 0
    seen.links += drive.state.pendingLinks.count
    seen.requests += drive.state.effects.count { $0.isRequest }
    for node in drive.state.nodes.values {
      seen.waiting += node.waits ? 1 : 0
      seen.resultReceivers += node.resultReceiver == nil ? 0 : 1
      seen.collapsed += node.isCollapsed ? 1 : 0
    }
  }
}
