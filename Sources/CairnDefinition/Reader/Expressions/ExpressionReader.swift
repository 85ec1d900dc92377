import CairnCore

/// Reads the expressions of params, content and facts, and compares them with the types of their receivers.
struct ExpressionReader: PartReader {
  let context: ReaderContext

  /// Reads a literal, a `$reference`, a calculation such as `$a + 1`, or a list or map of these. Also reads a template if the scope allows
  /// templates. Returns `nil` after reporting an invalid reference.
  func expression(_ element: Element, in scope: Surroundings) -> Expression? {
    switch element.content {
    case .scalar(.string(let text)): return expression(text, at: element.position, in: scope)
    case .scalar(let value): return .literal(value)
    case .list(let elements):
      let expressions = elements.map { expression($0, in: scope) }
      let whole = expressions.compactMap(\.self)
      guard whole.count == expressions.count else { return nil }
      return literal(of: whole).map { .literal(.array($0)) } ?? .array(whole)
    case .map(let members):
      var whole: [String: Expression] = [:]
      for member in members { whole[member.name] = expression(member.element, in: scope) }
      guard whole.count == members.count else { return nil }
      let names = whole.keys.sorted()
      guard let values = literal(of: names.compactMap { whole[$0] }) else { return .object(whole) }
      return .literal(.object(Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })))
    }
  }

  private func expression(_ text: String, at position: Position, in scope: Surroundings) -> Expression? {
    if text.hasPrefix("$$") { return .literal(.string(String(text.dropFirst()))) }
    if let terms = CalculationTerms(text) { return calculations.calculation(terms, at: position, in: scope) }
    if text.hasPrefix("$") { return references.reference(String(text.dropFirst()), at: position, in: scope).map(Expression.reference) }
    guard scope.hasTemplates, text.contains("{") else { return .literal(.string(text)) }
    var parts: [Expression.Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open != rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        report("`{` must be closed by `}`, as in `{name}`, which inserts a value", at: position)
        return nil
      }
      guard let reference = references.reference(String(rest[rest.index(after: open)..<close]), at: position, in: scope) else { return nil }
      parts.append(.reference(reference))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return .template(parts)
  }

  private func literal(of expressions: [Expression]) -> [Value]? {
    let values = expressions.compactMap { if case .literal(let value) = $0 { value } else { nil } }
    return values.count == expressions.count ? values : nil
  }

  /// The kind of an expression's value; `nil` if it is unknown.
  func kind(of expression: Expression, in scope: Surroundings) -> ParameterDefinition.Kind? { type(of: expression, in: scope)?.kind }

  /// The type of an expression's value: the declared type of a reference, or only a kind; `nil` if it is unknown.
  private func type(of expression: Expression, in scope: Surroundings) -> ParameterDefinition? {
    switch expression {
    case .literal, .array, .object: nil
    case .template: ParameterDefinition(.string)
    case .calculation(.count, _): ParameterDefinition(.integer)
    case .calculation(_, let terms): ParameterDefinition(terms.allSatisfy { isInteger($0, in: scope) } ? .integer : .number)
    case .reference(.param(let name)): scope.hasCaptures ? nil : scope.params?[name]
    case .reference(.fact(let name)): names.fact(name)?.type
    case .reference(.flowFact(let name)): names.flowFact(name, in: scope.flow)
    case .reference(.flow(let path)): path.count == 1 ? scope.flow.flatMap { names.params(ofFlow: $0)?[path[0]] } : nil
    case .reference(.authorizeURL): ParameterDefinition(.string)
    case .reference(.isFirstSight): ParameterDefinition(.boolean)
    case .reference(.screen(let path)): path.count == 1 ? names.kind(ofScreenParam: path[0]).map { ParameterDefinition($0) } : nil
    case .reference(.error(let member)): ParameterDefinition(member == "status" ? .integer : .string)
    case .reference(.result(let path)): path.count == 1 ? scope.result?[path[0]] : nil
    case .reference(.content): nil
    }
  }

  private func isInteger(_ term: Expression, in scope: Surroundings) -> Bool {
    if case .literal(.integer) = term { true } else { kind(of: term, in: scope) == .integer }
  }

  /// Whether a term of a calculation is certainly of type `number`, so that the result may have a fraction.
  private func readsNumber(_ expression: Expression, in scope: Surroundings) -> Bool {
    guard case .calculation(_, let terms) = expression else { return kind(of: expression, in: scope) == .number }
    return terms.contains { if case .literal(.number) = $0 { true } else { readsNumber($0, in: scope) } }
  }

  /// Reports an expression whose value cannot have the required type.
  func check(
    _ expression: Expression, fits type: ParameterDefinition, _ what: String, at position: Position, in scope: Surroundings
  ) {
    if type.isSecret { return secrets.checkSecret(expression, fits: type, what, at: position, in: scope) }
    switch expression {
    case .literal(.null) where type.isOptional: break
    case .literal(let value):
      if let fault = type.fault(of: value) { report(ListReader.sentence(what, fault), at: position) }
    case .array(let items) where type.kind == .list:
      guard let item = type.bounds?.item else { return }
      for (index, expression) in items.enumerated() { check(expression, fits: item, "item [\(index)] of \(what)", at: position, in: scope) }
    case .array, .object:
      let given = if case .array = expression { "array" } else { "object" }
      if type.kind != .any { report("\(what) must be of type \(type.kind.rawValue), not \(given)", at: position) }
    case .template, .reference, .calculation:
      guard let source = self.type(of: expression, in: scope), source.kind != .any, type.kind != .any else { return }
      let given = source.kind
      if given == type.kind { return checkItems(of: source, fit: type, what, at: position) }
      if given == .integer && type.kind == .number { return }
      // A calculation whose terms have unknown types counts as a number, but its value may be an integer, so it is not reported.
      if given == .number && type.kind == .integer, case .calculation = expression, !readsNumber(expression, in: scope) { return }
      report("\(what) must be of type \(type.kind.rawValue), not \(given.rawValue)", at: position)
    }
  }

  /// Reports a list whose items have another type than the receiver's items.
  private func checkItems(of list: ParameterDefinition, fit type: ParameterDefinition, _ what: String, at position: Position) {
    guard let given = list.bounds?.item?.kind, let item = type.bounds?.item?.kind, given != item, given != .any, item != .any else {
      return
    }
    if given == .integer && item == .number { return }
    report("\(what) must be a list of \(item.rawValue), not a list of \(given.rawValue)", at: position)
  }
}
