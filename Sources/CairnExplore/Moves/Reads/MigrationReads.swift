import CairnCore
import CairnDefinition

extension Claim {
  /// A claim with which `explore` distinguishes the states that a migration treats differently. It is always true, and reads the facts and params that the
  /// migration's expressions read or whose type differs between the two definitions. All values that such a type lists are tried.
  static func reading(_ migration: Migration, from old: Definition, to new: Definition) -> Claim {
    var guards: [Guard] = []
    let fates = Array(migration.screens) + Array(migration.flows)
    let expressions = Array(migration.values.values) + fates.flatMap { $0.value.params.values }
    let read: Set<String> = Set(expressions.flatMap(\.references).compactMap { if case .fact(let name) = $0 { name } else { nil } })
    for (name, fact) in old.facts {
      let type = migration.name(ofFact: name).flatMap { new.facts[$0]?.type }
      guard read.contains(name) || type != fact.type else { continue }
      guards += [.fact(name, .present), .fact(name, .among(ValueSet((fact.type.allowed?.values ?? []) + (type?.allowed?.values ?? []))))]
    }
    for (name, screen) in old.screens {
      let fate = migration.screens[name]
      let types = fate.map { $0.target.flatMap { new.screens[$0]?.params } ?? [:] } ?? new.screens[name]?.params ?? [:]
      let references = (fate?.params ?? [:]).values.flatMap(\.references)
      let own: Set<String> = Set(references.compactMap { if case .param(let name) = $0 { name } else { nil } })
      for (param, type) in screen.params where own.contains(param) || types[param] != type {
        let values = (type.allowed?.values ?? []) + (types[param]?.allowed?.values ?? []) + [.null]
        guards += values.map { .screen([name], with: [param: .literal($0)]) }
      }
    }
    let all = Guard.any(guards)
    return Claim(name: "the migration", .always(when: nil, then: .any([all, .not(all)])), line: 0)
  }
}

extension Migration {
  /// The name of an old fact in the new definition; `nil` if it is dropped.
  fileprivate func name(ofFact name: String) -> String? {
    switch facts[name] {
    case .keep(let other)?: other
    case .remove?: nil
    case nil: name
    }
  }
}

extension Migration.NodeFate {
  /// The expressions for the params and facts of the node that is kept or created.
  fileprivate var params: [String: Expression] {
    switch self {
    case .keep(_, let params, let facts): params.merging(facts) { one, _ in one }
    case .replace(_, let params): params
    case .popTo, .remove: [:]
    }
  }

  /// The new name of the node if the migration keeps it; otherwise `nil`.
  fileprivate var target: String? { if case .keep(let name, _, _) = self { name } else { nil } }
}
