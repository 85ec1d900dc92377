package import CairnCore

extension RandomDefinition {
  /// A random definition with modals on few levels, which wait for each other and are also closed by name.
  package static func raised(seed: UInt64) -> Definition {
    var definition = make(seed: seed, isOdd: true)
    var chance = Chance(seed: seed &* 31)
    for name in definition.flows.keys.sorted() {
      for step in (definition.flows[name]?.handle.keys.sorted() ?? []) {
        guard let handler = definition.flows[name]?.handle[step] else { continue }
        let branches = handler.branches.map { branch in
          Handler.Branch(when: branch.when, operations: branch.operations.map { raised($0, &chance) })
        }
        definition.flows[name]?.handle[step] = Handler(branches: branches)
      }
    }
    return definition
  }

  private static func raised(_ operation: Operation, _ chance: inout Chance) -> Operation {
    switch operation {
    case .present(let contribution, let style, let anchor, let replace, _):
      if chance.isHeads(oneIn: 4) { return operation }
      let level = Operation.Level(1 + chance.below(3), queue: !replace && !chance.isHeads(oneIn: 3))
      return .present(contribution, style: style, on: anchor, replace: replace, level: level)
    case .push(let contribution) where chance.isHeads(oneIn: 3):
      return .present(contribution, style: .sheet, on: .flow, replace: false, level: .init(1 + chance.below(3), queue: true))
    case .dismiss(nil) where chance.isHeads(oneIn: 2): return .dismiss(Place(.any, chance.pick(["s0", "s1", "flow1"])))
    default: return operation
    }
  }
}
