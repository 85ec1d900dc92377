import CairnCore
import CairnDefinition

extension Relevance {
  /// The parts of a state that the definition and the claims read.
  init(_ definition: Definition, _ claims: [Claim], _ palette: Palette) {
    self.init()
    fresh = palette.interchangeable
    var facts: Set<String> = []
    var flowFacts: Set<String> = []
    seesLogin = definition.oauth != nil
    var params: [String: Set<String>] = [:]
    for condition in definition.guards + claims.flatMap(\.guards) {
      facts.formUnion(condition.facts)
      for leaf in condition.leaves {
        switch leaf {
        case .flowFact(let name, _): flowFacts.insert(name)
        case .content(let path, _, _):
          content.read(path)
          for case .screen(let path) in Reference.content(path).members {
            for (name, screen) in definition.screens where screen.params[path[0]] != nil { params[name, default: []].insert(path[0]) }
          }
          for case .flow(let path) in Reference.content(path).members {
            for (name, flow) in definition.flows where flow.params[path[0]] != nil { params[name, default: []].insert(path[0]) }
          }
        case .status: seesStatus = true
        case .visible(let screens, let with), .screen(let screens, let with):
          for screen in screens { params[screen, default: []].formUnion(with.keys) }
        case .flow(let name, let with):
          params[name, default: []].formUnion(with.keys)
          if let screen = definition.screen(of: .flow(name)) { params[screen, default: []].formUnion(with.keys) }
        default: break
        }
      }
    }
    for place in definition.places + claims.flatMap(\.guards).flatMap(\.leaves).compactMap(\.place) {
      params[place.name, default: []].formUnion(place.with.keys)
      for target in [Contribution.Target.screen(place.name), .flow(place.name)] {
        if let screen = definition.screen(of: target) { params[screen, default: []].formUnion(place.with.keys) }
      }
    }
    for expression in definition.expressions + claims.flatMap(\.guards).flatMap(\.compared) {
      for reference in expression.references + expression.references.flatMap(\.members) {
        switch reference {
        case .fact(let name): facts.insert(name)
        case .flowFact(let name): flowFacts.insert(name)
        case .flow(let path):
          guard let param = path.first else { continue }
          for (name, flow) in definition.flows where flow.params[param] != nil { params[name, default: []].insert(param) }
        case .content(let path, _): content.read(path)
        case .screen(let path):
          // `$screen.NAME` reads the param of any sending screen.
          guard let param = path.first else { continue }
          for (name, screen) in definition.screens where screen.params[param] != nil { params[name, default: []].insert(param) }
        default: break
        }
      }
      for literal in expression.literals { if let number = literal.double { literals.insert(number) } }
    }
    for site in definition.operations {
      if case .set(let nodes, keep: true) = site.operation {
        // `keep` compares all params to determine whether a node is kept.
        for flow in nodes.compactMap({ $0.flow }) {
          params[flow, default: []].formUnion(definition.flows[flow]?.params.keys.map(\.self) ?? [])
        }
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
    // Comparisons with `away` are separate, because no operation adds to that fact.
    let tests = (definition.guards + claims.flatMap(\.guards)).flatMap(\.leaves)
    let compared = tests.filter { !$0.isAboutAway }.flatMap(\.compared).flatMap(\.literals).compactMap(\.double)
    awayMarks = Set(tests.filter(\.isAboutAway).flatMap(\.awayMarks)).filter { $0 > 0 }.sorted()
    let met = palette.streams.metNumbers
    if let least = (compared + met).min(), let most = (compared + met).max() { numbers = (least - 1)...(most + 1) }
    literals.formUnion(palette.streams.allKnown.compactMap(\.double))
    if palette.streams.seesOrder { literals.formUnion(palette.numbers.compactMap(\.double)) }
    moments = Set(tests.flatMap(\.moments)).sorted { String(describing: $0) < String(describing: $1) }
    // With a token a logout is possible, and a logout discards held links. So states with and without a token are always distinguished if the app uses tokens.
    if seesLogin || definition.loads.contains(where: { $0.request?.bearer ?? false }) { facts.insert(FactDefinition.accessToken) }
    self.facts = facts.sorted()
    self.flowFacts = flowFacts.sorted()
    self.params = params.mapValues { $0.sorted() }
  }
}

extension Guard {
  /// The simple conditions inside the condition.
  var leaves: [Guard] {
    switch self {
    case .all(let guards), .any(let guards): guards.flatMap(\.leaves)
    case .not(let inner): inner.leaves
    default: [self]
    }
  }

  /// The expressions that the condition compares with.
  var compared: [Expression] {
    leaves.flatMap { leaf -> [Expression] in
      switch leaf {
      case .fact(_, let test), .flowFact(_, let test), .param(_, let test), .result(_, let test): test.expressions + test.listed
      case .content(_, let test, _): test.expressions + test.listed + leaf.nodeParams.values
      default: Array(leaf.nodeParams.values)
      }
    }
  }
}

extension Guard {
  /// Whether the condition tests how long the app was in the background.
  var isAboutAway: Bool { if case .fact(FactDefinition.away, _) = self { true } else { false } }

  /// The durations in milliseconds at which the condition changes its result.
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
  /// The places that operations, conditions and expressions name.
  fileprivate var places: [Place] {
    operations.compactMap(\.operation.place) + guards.flatMap(\.leaves).compactMap(\.place)
      + expressions.flatMap(\.references).compactMap(\.place)
  }

  /// The screen whose params a node with this target has; `nil` if there is no such screen.
  fileprivate func screen(of target: Contribution.Target) -> String? {
    switch target {
    case .screen(let name): return name
    case .flow(let name):
      guard let flow = flows[name], flow.container == .screen, case .root(let root) = flow.initialChildren else { return nil }
      return root.screen
    }
  }
}

extension Guard.Test {
  /// The values of an `in` list.
  fileprivate var listed: [Expression] { if case .among(let values) = self { values.values.map(Expression.literal) } else { [] } }
}

extension Reference {
  /// The references that are members of a path into content.
  fileprivate var members: [Reference] {
    guard case .content(let path, _) = self else { return [] }
    return path.filter { $0.first == "$" }.map { Reference(member: $0) }
  }
}

extension Expression {
  /// The scalars in the expression.
  var literals: [Value] {
    switch self {
    case .literal(let value): value.scalars
    case .array(let elements), .calculation(_, let elements): elements.flatMap(\.literals)
    case .object(let members): members.values.flatMap(\.literals)
    case .reference, .template: []
    }
  }
}

extension Value {
  /// The scalars in the value.
  var scalars: [Value] {
    switch self {
    case .array(let elements): elements.flatMap(\.scalars)
    case .object(let members): members.values.flatMap(\.scalars)
    default: [self]
    }
  }

  /// The value as a number; `nil` if it is not a number.
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}
