import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `Invariants for random definitions and actions` {
  @Test(arguments: 0..<12) func `changes, ids, effects, rejections and replay agree`(block: Int) throws {
    var started = 0
    for seed in (block * 40)..<(block * 40 + 20) {
      let definition = RandomDefinition.make(seed: UInt64(seed))
      // A random definition may loop at its start, so that no session exists.
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      started += 1
      var chance = Chance(seed: UInt64(seed) &* 7919)
      for _ in 0..<60 {
        if chance.isHeads(oneIn: 8) {
          drive.advance(chance.below(4_000))
        } else {
          drive.run(RandomAction.make(&chance, for: drive.state))
        }
        // Some definitions grow their tree without end, which would only take time here.
        if drive.state.nodes.count > 300 { break }
      }
      try #require(drive.broken == [], "seed \(seed): \(drive.broken.first ?? "")")
      #expect(try drive.replayed() == drive.state, "seed \(seed): the replay differs")
      _ = drive.reducer.accepts(drive.state)
      _ = drive.routes
    }
    #expect(started > 10)
  }

  /// Runs a few thousand actions. `CAIRN_DRIVE_ACTIONS` sets the number, such as a higher one for a release build.
  @Test(arguments: 0..<8) func `with unusual definitions the client tree, accepts, containers and replay agree`(
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
