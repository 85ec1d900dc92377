import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `A replica in a client at random` {
  /// Random actions on random definitions, among timers, links, operators, other clients, migrations and lost entries. `CAIRN_REPLICA_ACTIONS` sets the number
  /// of actions (default: about 29,000). The client's clock is an hour fast.
  @Test(arguments: 0..<8) func `shows the service's tree when all is confirmed, whatever came between`(block: Int) throws {
    var (actions, predicted, moves, drains) = (0, 0, 0, 0)
    let wanted = ProcessInfo.processInfo.environment["CAIRN_REPLICA_ACTIONS"].flatMap { Int($0) } ?? 28_800
    let count = max(1, wanted / (8 * 60))
    for seed in (block * count)..<(block * count + count) {
      guard var sides = try? TwoSides(Self.definition(seed), isManual: seed % 2 == 0) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 104_729 &+ 3)
      for turn in 0..<90 where sides.service.nodes.count < 80 {
        play(&sides, &chance, seed, turn)
        if turn % 8 == 7 { sides.checkDrain() }
      }
      while !sides.queue.isEmpty { sides.deliver() }
      predicted += sides.predicted
      actions += sides.confirmations
      moves += sides.moves
      drains += sides.drains
      try #require(sides.faults == [], "seed \(seed): \(sides.faults.first ?? "")")
      #expect(sides.replica.waiting == [] && !sides.isPaused)
      #expect(sides.replica.tree == sides.reducer.tree(of: sides.service), "seed \(seed)")
    }
    #expect(
      predicted > 2 * count && actions > 5 * count && moves > count / 4 && drains > count / 16,
      "\(actions) entries, \(predicted) predictions, \(moves) moves, \(drains) drains")
  }

  /// Half of the definitions use the whole language. Only those can migrate to others.
  private static func isWhole(_ seed: Int) -> Bool { seed % 4 > 1 }

  private static func definition(_ seed: Int) -> Definition {
    isWhole(seed) ? RandomDefinition.whole(seed: UInt64(seed)) : RandomDefinition.make(seed: UInt64(seed), isOdd: seed % 3 == 0)
  }

  private func play(_ sides: inout TwoSides, _ chance: inout Chance, _ seed: Int, _ turn: Int) {
    let isWhole = Self.isWhole(seed)
    func action(_ state: State, isOdd: Bool = false) -> Action {
      let action = isWhole ? RandomAction.whole(&chance, for: state) : RandomAction.make(&chance, for: state, isOdd: isOdd)
      guard !isWhole, case .gesture(let gesture, _) = action, turn.isMultiple(of: 2) else { return action }
      return .gesture(gesture, from: state.visibleLeaf?.id)
    }
    switch chance.below(isWhole ? 14 : 12) {
    case 0..<6: sides.act(RandomAction.client { action(sides.shown, isOdd: seed % 3 == 0) })
    // Some clients have no network for 24 of 30 turns, while other clients continue.
    case 6..<9 where seed % 5 == 0 && turn % 30 < 24: sides.intrude(action(sides.service))
    case 6..<9: sides.deliver()
    case 9: sides.intrude(action(sides.service))
    case 10: sides.advance(WideInt(chance.below(3_000)))
    case 11: sides.lose(answers: chance.below(4), chance.isHeads(oneIn: 2) ? action(sides.service) : nil)
    case 12: sides.undo(&chance)
    default: migrate(&sides, &chance, seed &* 61 &+ turn)
    }
  }

  /// Moves the session to another definition if the tree has enough nodes. Most of these migrations can keep the root.
  private func migrate(_ sides: inout TwoSides, _ chance: inout Chance, _ seed: Int) {
    guard sides.service.nodes.count > 3, let root = sides.service.nodes[sides.service.root]?.flow else { return }
    let old = sides.reducer.definition
    let all = (0..<8).lazy.map { RandomDefinition.whole(seed: UInt64(seed &* 8 &+ $0)) }
    let new = all.first { $0.flows["flow0"]?.container == old.flows[root]?.container } ?? all[0]
    sides.migrate(to: new, by: RandomMigration.make(&chance, from: old, root: root, to: new))
  }
}
