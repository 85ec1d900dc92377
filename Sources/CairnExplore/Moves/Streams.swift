import CairnCore
import CairnDefinition

/// The names that share values, such as a param that is passed on under another name, a fact that is written from a param, or a member of content. A
/// value is worth trying for a name if it is compared with any name of the same group.
struct Streams: Sendable {
  private var banks: [String: String] = [:]
  private var pools: [String: Pool] = [:]
  /// The values that conditions distinguish, by group.
  private var known: [String: [Value]] = [:]
  /// Whether an expression calculates with numbers.
  private let calculates: Bool

  init(_ definition: Definition, _ conditions: [Guard]) {
    let bindings = definition.bindings
    let leaves = conditions.flatMap(\.leaves) + definition.momentsOfTimers
    calculates = (definition.expressions + conditions.flatMap(\.compared)).contains { $0.calculates }
    for (name, expression) in bindings { join(name, expression) }
    for leaf in leaves { for (name, expressions) in leaf.tests { for expression in expressions { join(name, expression) } } }
    for leaf in leaves {
      for (name, expressions) in leaf.tests { note(name) { $0.compare(name, expressions, by: leaf) } }
    }
    for (name, expression) in bindings { assign(name, expression) }
    for (name, type, isInput) in definition.types { note(name) { $0.add(type, named: name, isInput: isInput) } }
    for name in definition.counters { note(name) { $0.counters.insert(name) } }
    for name in definition.memberParams { note(name) { $0.isRead = true } }
    known = pools.mapValues { $0.known }
  }

  /// The values to try for the name: the values with which conditions compare the name or a name that shares its values (`Pool.known`).
  func known(_ name: String) -> [Value] { known[bank(of: name)] ?? [] }

  /// All values that conditions distinguish.
  var allKnown: [Value] { known.values.flatMap(\.self) }

  /// Whether a condition reads the name, or a name that shares its values.
  func isRead(_ name: String) -> Bool { pools[bank(of: name)]?.isRead ?? false }

  /// The kinds of the names that share values with this name, if a condition compares two of them with each other. `nil` if conditions
  /// compare them only with values of the definition.
  func met(_ name: String) -> Set<ParameterDefinition.Kind>? {
    pools[bank(of: name)].flatMap { $0.isMet ? $0.kinds : nil }
  }

  /// The numbers with which `over` and `under` in conditions compare the name.
  func bounds(_ name: String) -> [Double] { pools[bank(of: name)]?.bounds.compactMap(\.double) ?? [] }

  /// The numbers that can occur in two names that a condition compares with each other.
  var metNumbers: [Double] {
    pools.filter(\.value.isMet).flatMap { known[$0.key] ?? [] }.compactMap(\.double)
  }

  /// Whether a condition compares two names by size, or an expression calculates with numbers. Numbers that no condition names are then not interchangeable.
  var seesOrder: Bool { calculates || pools.values.contains { $0.isSized } }

  /// The comparisons between names of which not every outcome can be tried.
  var doubts: [Doubt] {
    let calculations = calculates ? [Doubt("the app calculates with numbers, and not every result was tried", names: [])] : []
    return pools.values.compactMap(\.doubt).sorted { $0.text < $1.text } + calculations
  }

  private mutating func note(_ name: String, _ change: (inout Pool) -> Void) { change(&pools[bank(of: name), default: Pool()]) }

  private mutating func assign(_ name: String, _ expression: Expression) {
    switch expression {
    case .literal(.object(let members)): for (name, member) in members { assign(name, .literal(member)) }
    case .literal(let value): note(name) { $0.assigned += value.scalars }
    case .object(let members): for (name, member) in members { assign(name, member) }
    case .template: note(name) { $0.composed.insert(name) }
    case .calculation: note(name) { $0.counters.insert(name) }
    case .reference(.content), .reference(.result): note(name) { $0.inputs.insert(name) }
    case .array, .reference: break
    }
  }

  private mutating func join(_ name: String, _ expression: Expression) {
    if case .object(let members) = expression { for (name, member) in members { join(name, member) } }
    for source in expression.references.compactMap(\.streamName) {
      let (one, two) = (bank(of: name), bank(of: source))
      if one != two { banks[one] = two }
    }
  }

  private func bank(of name: String) -> String {
    var name = name
    while let next = banks[name] { name = next }
    return name
  }
}

extension Definition {
  /// The named values that the definition assigns: params of steps, screens and flows, results, facts, and members of content.
  var bindings: [(name: String, value: Expression)] {
    var all = templates.flatMap { $0.with.map { ($0.key, $0.value) } }
    for arrival in flows.values.flatMap(\.arrivals) + operations.flatMap(\.parts.makes) {
      all += arrival.contribution.with.map { ($0.key, $0.value) } + arrival.contribution.facts.map { ($0.key, $0.value) }
      if let content = arrival.contribution.content { all.append(("content", content)) }
    }
    for load in loads { if case .value(let value) = load.source { all.append(("content", value)) } }
    for site in operations {
      switch site.operation {
      case .write(let values), .give(let values): all += values.map { ($0.key, $0.value) }
      case .content(let edits, _):
        for edit in edits {
          guard let name = edit.lastMember else { continue }
          all += edit.expressions.map { (name, $0) }
        }
      default: break
      }
      all += (site.operation.place?.with ?? [:]).map { ($0.key, $0.value) }
    }
    return all
  }

  /// The types of all names. `isInput` is whether the name's values come from outside, for example from a client, a link or a notification.
  fileprivate var types: [(name: String, type: ParameterDefinition, isInput: Bool)] {
    var all: [(String, ParameterDefinition, Bool)] = []
    for step in steps.values { all += step.params.map { ($0.key, $0.value, !step.isInternal) } }
    for screen in screens.values { all += screen.params.map { ($0.key, $0.value, false) } }
    let written = Set(operations.flatMap(\.parts.writes))
    for flow in flows.values { all += (Array(flow.params) + Array(flow.facts)).map { ($0.key, $0.value, false) } }
    for (name, fact) in facts { all.append((name, fact.type, fact.isClients || !written.contains(name))) }
    all += notifications.values.map { ($0.key, $0.value.type, true) }
    for link in links { all += (link.query + link.path.compactMap(\.name)).map { ($0, ParameterDefinition(.string), true) } }
    return all
  }

  /// The members of content to which operations add.
  fileprivate var counters: [String] {
    operations.flatMap { site in
      guard case .content(let edits, _) = site.operation else { return [String]() }
      return edits.compactMap { if case .add = $0.change { $0.lastMember } else { nil } }
    }
  }

  /// The params that name a member in a path (`rows.$id`).
  fileprivate var memberParams: [String] {
    let paths =
      guards.flatMap(\.leaves).compactMap { if case .content(let path, _, _) = $0 { path } else { nil } }
      + expressions.flatMap(\.references).compactMap { if case .content(let path, _) = $0 { path } else { nil } }
    return paths.joined().filter { $0.first == "$" }.compactMap { $0.dropFirst().split(separator: ".").last.map(String.init) }
  }
}

extension Expression {
  /// Whether the expression, or a part of it, calculates with numbers.
  fileprivate var calculates: Bool {
    switch self {
    case .calculation: true
    case .array(let elements): elements.contains { $0.calculates }
    case .object(let members): members.values.contains { $0.calculates }
    case .literal, .reference, .template: false
    }
  }
}

extension ContentEdit {
  /// The last member of the path that is not an expression; `nil` if all are expressions.
  fileprivate var lastMember: String? { path.compactMap { if case .literal(.string(let member)) = $0 { member } else { nil } }.last }
}

extension Guard {
  /// The named values that the condition compares.
  fileprivate var tests: [(name: String, values: [Expression])] {
    switch self {
    case .fact(FactDefinition.away, _): []
    case .fact(let name, _), .flowFact(let name, _), .param(let name, _): [(name, compared)]
    case .content(let path, _, _), .result(let path, _): [(path.streamName ?? "content", compared)]
    case .visible, .screen, .flow, .status: nodeParams.map { ($0.key, [$0.value]) }
    case .passed(let value, let before):
      value.references.compactMap(\.streamName).map { ($0, Moment.samples(before: before).map(Expression.literal)) }
    case .between(_, _, let zone):
      zone.references.compactMap(\.streamName).map { ($0, ["Europe/Berlin", "Asia/Tokyo"].map(Expression.literal)) }
    case .all, .any, .not: []
    }
  }
}

extension Reference {
  /// The name of the referenced value; `nil` if the engine creates the value.
  var streamName: String? {
    switch self {
    case .param(let name), .fact(let name), .flowFact(let name), .error(let name): name
    case .content(let path, _), .screen(let path), .flow(let path), .result(let path): path.streamName ?? "content"
    case .authorizeURL, .isFirstSight: nil
    }
  }
}

extension [String] {
  /// The last member that is not a param; `nil` if all are params.
  var streamName: String? { last { $0.first != "$" } }
}
