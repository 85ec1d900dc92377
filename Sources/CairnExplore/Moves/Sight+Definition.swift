import CairnCore
import CairnDefinition

extension Sight {
  /// What a definition reads of its states, and what claims about it read beside that.
  init(_ definition: Definition, _ claims: [Claim], fresh: [Value]) {
    self.init()
    self.fresh = fresh
    var facts: Set<String> = []
    seesLogin = definition.oauth != nil
    var params: [String: Set<String>] = [:]
    for condition in definition.guards + claims.flatMap(\.guards) {
      facts.formUnion(condition.facts)
      for leaf in condition.leaves {
        switch leaf {
        case .content(let path, _): content.read(path)
        case .status: seesStatus = true
        case .visible(let screens, let with): for screen in screens { params[screen, default: []].formUnion(with.keys) }
        default: break
        }
      }
    }
    for expression in definition.expressions + claims.flatMap(\.guards).flatMap(\.compared) {
      for reference in expression.references {
        switch reference {
        case .fact(let name): facts.insert(name)
        case .content(let path, _): content.read(path)
        default: break
        }
      }
      for literal in expression.literals { if let number = literal.double { literals.insert(number) } }
    }
    for site in definition.operations {
      guard case .content(let edits, _) = site.operation else { continue }
      for edit in edits {
        guard case .add = edit.change else { continue }
        content.read(edit.path.map { if case .literal(.string(let member)) = $0 { member } else { "$" } }, isAddedTo: true)
      }
    }
    let compared = (definition.guards + claims.flatMap(\.guards)).flatMap(\.compared).flatMap(\.literals).compactMap(\.double)
    if let least = compared.min(), let most = compared.max() { numbers = (least - 1)...(most + 1) }
    self.facts = facts.sorted()
    self.params = params.mapValues { $0.sorted() }
  }
}

extension Guard {
  /// The conditions that it is put together from.
  var leaves: [Guard] {
    switch self {
    case .all(let guards), .any(let guards): guards.flatMap(\.leaves)
    case .not(let inner): inner.leaves
    default: [self]
    }
  }

  /// What it compares something with.
  var compared: [Expression] {
    leaves.flatMap { leaf -> [Expression] in
      switch leaf {
      case .fact(_, .equals(let value)), .param(_, .equals(let value)), .content(_, .equals(let value)): [value]
      case .visible(_, let with): Array(with.values)
      default: []
      }
    }
  }
}

extension Expression {
  /// The scalars that stand in it.
  var literals: [Value] {
    switch self {
    case .literal(let value): value.scalars
    case .array(let elements): elements.flatMap(\.literals)
    case .object(let members): members.values.flatMap(\.literals)
    case .reference, .template: []
    }
  }
}

extension Value {
  /// The scalars in it.
  var scalars: [Value] {
    switch self {
    case .array(let elements): elements.flatMap(\.scalars)
    case .object(let members): members.values.flatMap(\.scalars)
    default: [self]
    }
  }

  /// nil: it is no number.
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
