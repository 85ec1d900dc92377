import CairnCore
import CairnDefinition

extension Sight {
  /// The parts of its states that a definition reads, and those that claims about it read.
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
        case .content(let path, _, _): content.read(path)
        case .status: seesStatus = true
        case .visible(let screens, let with), .screen(let screens, let with):
          for screen in screens { params[screen, default: []].formUnion(with.keys) }
        default: break
        }
      }
    }
    for expression in definition.expressions + claims.flatMap(\.guards).flatMap(\.compared) {
      for reference in expression.references {
        switch reference {
        case .fact(let name): facts.insert(name)
        case .content(let path, _): content.read(path)
        case .screen(let path):
          // A param of any sending screen.
          guard let param = path.first else { continue }
          for (name, screen) in definition.screens where screen.params[param] != nil { params[name, default: []].insert(param) }
        default: break
        }
      }
      for literal in expression.literals { if let number = literal.double { literals.insert(number) } }
    }
    for site in definition.operations {
      if case .set(let nodes, keep: true) = site.operation {
        // Whether a node stays is a comparison of all its params.
        for screen in nodes.compactMap({ definition.screen(of: $0.target) }) {
          params[screen, default: []].formUnion(definition.screens[screen]?.params.keys.map(\.self) ?? [])
        }
      }
      guard case .content(let edits, _) = site.operation else { continue }
      for edit in edits {
        guard case .add = edit.change else { continue }
        content.read(edit.path.map { if case .literal(.string(let member)) = $0 { member } else { "$" } }, isAddedTo: true)
      }
    }
    // Comparisons with `away` are separate: no operation counts up to them.
    let tests = (definition.guards + claims.flatMap(\.guards)).flatMap(\.leaves)
    let compared = tests.filter { !$0.isAboutAway }.flatMap(\.compared).flatMap(\.literals).compactMap(\.double)
    awayMarks = Set(tests.filter(\.isAboutAway).flatMap(\.awayMarks)).filter { $0 > 0 }.sorted()
    if let least = compared.min(), let most = compared.max() { numbers = (least - 1)...(most + 1) }
    // With a token there is something to log out from, and with that the links go that are held.
    if seesLogin || definition.loads.contains(where: { $0.request?.bearer ?? false }) { facts.insert(FactDefinition.accessToken) }
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

  /// The expressions that it compares with.
  var compared: [Expression] {
    leaves.flatMap { leaf -> [Expression] in
      switch leaf {
      case .fact(_, let test), .param(_, let test), .content(_, let test, _), .result(_, let test): test.expressions + test.listed
      case .visible(_, let with), .screen(_, let with): Array(with.values)
      default: []
      }
    }
  }
}

extension Guard {
  /// A condition on how long the app was away.
  var isAboutAway: Bool { if case .fact(FactDefinition.away, _) = self { true } else { false } }

  /// The first milliseconds at which it says something else than before.
  fileprivate var awayMarks: [Int] {
    guard case .fact(_, let test) = self else { return [] }
    let numbers = compared.flatMap(\.literals).compactMap(\.double).map { Int($0.rounded(.down)) }
    switch test {
    case .over: return numbers.map { $0 + 1 }
    case .under: return numbers
    case .equals, .among: return numbers.flatMap { [$0, $0 + 1] }
    case .isTrue, .present, .absent: return []
    }
  }
}

extension Definition {
  /// The screen whose params a node has; nil: it has none.
  fileprivate func screen(of target: Contribution.Target) -> String? {
    switch target {
    case .screen(let name): return name
    case .flow(let name):
      guard let flow = flows[name], flow.container == .screen, case .root(let root) = flow.birth else { return nil }
      return root.screen
    }
  }
}

extension Guard.Test {
  /// The values of a list that is compared with.
  fileprivate var listed: [Expression] { if case .among(let values) = self { values.map(Expression.literal) } else { [] } }
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
