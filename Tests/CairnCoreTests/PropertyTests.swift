import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `Promises that hold for every definition and every action` {
  @Test(arguments: 0..<12) func `changes, ids, effects, refusals and replay`(block: Int) throws {
    var started = 0
    for seed in (block * 40)..<(block * 40 + 20) {
      let definition = RandomDefinition.make(seed: UInt64(seed))
      // A definition may loop at its start; then there is no session to look at.
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      started += 1
      var chance = Chance(seed: UInt64(seed) &* 7919)
      for _ in 0..<60 {
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.make(&chance, for: drive.state))
        }
        // A tree that grows without end is a definition's own doing; here it would only take time.
        if drive.state.nodes.count > 300 { break }
      }
      try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
      #expect(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
      _ = drive.reducer.accepts(drive.state)
      _ = drive.routes
    }
    #expect(started > 10)
  }

  /// A few thousand actions; as many as `CAIRN_DRIVE_ACTIONS` says, for a longer look with a release build.
  @Test(arguments: 0..<8) func `odd definitions: a client's tree, what is accepted, nodes that fit their container, and replay`(
    block: Int
  ) throws {
    let wanted = ProcessInfo.processInfo.environment["CAIRN_DRIVE_ACTIONS"].flatMap { Int($0) } ?? 6_000
    var (count, seed) = (0, block * 1_000_000)
    while count < wanted / 8 {
      seed += 1
      let definition = RandomDefinition.make(seed: UInt64(seed), isOdd: true)
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      for _ in 0..<60 where drive.state.nodes.count < 100 {
        count += 1
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.make(&chance, for: drive.state, isOdd: true))
        }
        try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
        if count % 8 == 0 { try #require(drive.falsePromises == [], "seed \(seed)") }
      }
      #expect(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
    }
  }
}
