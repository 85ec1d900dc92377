import CairnCore
import CairnTesting

/// Migrations between random definitions, with random fates of their screens, flows, steps and facts.
struct RandomMigration {
  private var chance: Chance
  private let new: Definition

  /// Creates a migration of a session. The session's definition is `base` with `count` suffixes at its names, and its root is of the flow `root`.
  static func make(_ chance: inout Chance, from base: Definition, renamed count: Int = 0, root: String?, to new: Definition) -> Migration {
    var random = RandomMigration(chance: chance, new: new)
    defer { chance = random.chance }
    return random.migration(from: base, MigrationRenaming(count).name, isRenamed: count > 0, root: root)
  }

  private mutating func migration(from base: Definition, _ name: (String) -> String, isRenamed: Bool, root: String?) -> Migration {
    var migration = Migration(runsRules: chance.isHeads(oneIn: 2))
    for screen in ["s0", "s1", "s2"] { migration.screens[name(screen)] = fate(.screen(screen)) }
    for (flow, definition) in base.flows.sorted(by: { $0.key < $1.key }) {
      let isKept = new.flows[flow]?.container == definition.container && !chance.isHeads(oneIn: 4)
      migration.flows[name(flow)] = isKept ? .keep(as: flow, params: [:]) : fate(.flow("flow0"))
    }
    // The root can only be kept or replaced by a flow. Any other fate is an obstacle to the migration.
    if let root, !chance.isHeads(oneIn: 8) {
      let container = base.flows.first { name($0.key) == root }?.value.container
      let isKept = container == new.flows["flow0"]?.container && !chance.isHeads(oneIn: 3)
      migration.flows[root] = isKept ? .keep(as: "flow0", params: [:]) : .replace(.flow(chance.pick(new.flows.keys.sorted())), with: [:])
    }
    for step in base.steps.keys.sorted() where chance.isHeads(oneIn: 2) || isRenamed {
      migration.steps[name(step)] = chance.isHeads(oneIn: 4) ? .remove : .keep(as: "t\(chance.below(6))", params: [:])
    }
    for fact in ["f0", "f1"] { migration.facts[name(fact)] = chance.isHeads(oneIn: 3) ? .remove : .keep(as: fact) }
    return migration
  }

  private mutating func fate(_ target: Contribution.Target) -> Migration.NodeFate {
    let screen = "s\(chance.below(3))"
    switch chance.below(8) {
    case 0: return .remove
    case 1: return .popTo(screen: screen)
    case 2, 3: return .replace(.screen(screen), with: ["id": .reference(.param("id"))])
    case 4: return .replace(.flow(chance.pick(new.flows.keys.sorted())), with: [:])
    default: if case .screen(let kept) = target { return .keep(as: kept, params: [:]) }
    }
    return .replace(target, with: [:])
  }
}
