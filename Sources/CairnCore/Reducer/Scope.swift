/// What expressions and guards can read while a step is handled.
struct Scope {
  var params: [String: Value] = [:]
  /// The emitting node, or the one that is leaving.
  var emitter: Node?
  var result: Value?
}

extension Run {
  /// The value of an expression; nil where it reads something that is not there.
  mutating func value(of expression: Expression, in scope: Scope) -> Value? {
    switch expression {
    case .literal(let value): return value
    case .reference(let reference): return value(of: reference, in: scope)
    case .template(let parts):
      var text = ""
      for (index, part) in parts.enumerated() {
        switch part {
        case .text(let literal): text += literal
        case .reference(let reference):
          guard let value = value(of: reference, in: scope) else { return nil }
          text += index == 0 ? value.shortText : PercentCoding.encode(value.shortText)
        }
      }
      return bounded(.string(text))
    case .array(let elements): return bounded(.array(elements.map { value(of: $0, in: scope) ?? .null }))
    case .object(let members):
      var object: [String: Value] = [:]
      for (name, member) in members { object[name] = value(of: member, in: scope) }
      return bounded(.object(object))
    }
  }

  /// What was put together here is not there if it is too large: a handler may write a value into itself again and again.
  private func bounded(_ value: Value) -> Value? { value.isWithinBounds ? value : nil }

  private mutating func value(of reference: Reference, in scope: Scope) -> Value? {
    switch reference {
    case .param(let name): return scope.params[name]
    case .content(let path, let screen):
      let node = screen.map { name in (try? find(name)).flatMap { state[$0] } } ?? scope.emitter
      return node?.content?.value?.at(path.map { $0.first == "$" ? scope.params[String($0.dropFirst())]?.shortText ?? "" : $0 })
    case .fact(let name): return state.facts[name]
    case .result(let path): return scope.result?.at(path)
    case .authorizeURL:
      authorizationWasRead = true
      return definition.oauth.map { .string($0.authorizeURL(environment: state.environment, state: stamp.nonce)) }
    }
  }

  /// The values of named expressions; what is not there is left out.
  mutating func values(of expressions: [String: Expression], in scope: Scope) -> [String: Value] {
    var values: [String: Value] = [:]
    for (name, expression) in expressions { values[name] = value(of: expression, in: scope) }
    return values
  }

  /// A template's step with its params worked out; they must be what the step declares.
  mutating func step(from template: StepTemplate, in scope: Scope) throws(Refusal) -> Step {
    let given = values(of: template.with, in: scope)
    let (params, faults) = ParameterDefinition.check(given, against: definition.steps[template.step]?.params ?? [:])
    if let fault = faults.first {
      throw Refusal(.valueMismatch, "the param \(fault.name) of the step \(template.step) \(fault.fault)")
    }
    return Step(template.step, params: params)
  }

  /// What is known now is put in, `$result` is left for later.
  mutating func partial(_ template: StepTemplate?, in scope: Scope) -> StepTemplate? {
    guard let template else { return nil }
    var with: [String: Expression] = [:]
    for (name, expression) in template.with { with[name] = partial(expression, in: scope) }
    return StepTemplate(template.step, with: with)
  }

  private mutating func partial(_ expression: Expression, in scope: Scope) -> Expression? {
    let readsResult = expression.references.contains { if case .result = $0 { true } else { false } }
    guard readsResult else { return value(of: expression, in: scope).map(Expression.literal) }
    guard case .object(let members) = expression else { return expression }
    var object: [String: Expression] = [:]
    for (name, member) in members { object[name] = partial(member, in: scope) }
    return .object(object)
  }

  /// Whether a guard holds.
  mutating func holds(_ condition: Guard, in scope: Scope) -> Bool {
    switch condition {
    case .fact(let name, let test): return passes(state.facts[name], test, in: scope)
    case .param(let name, let test): return passes(scope.params[name], test, in: scope)
    case .content(let path, let test): return passes(scope.emitter?.content?.value?.at(path), test, in: scope)
    case .status(let status): return (scope.emitter?.content?.status ?? .idle) == status
    case .visible(let screens, let with):
      let expected = values(of: with, in: scope)
      return state.visibleLeaves.contains { leaf in
        screens.contains(leaf.name) && expected.allSatisfy { leaf.params[$0.key] == $0.value }
      }
    case .flow(let name): return state.nodes.values.contains { $0.flow == name && !$0.ended }
    case .all(let guards):
      for inner in guards where !holds(inner, in: scope) { return false }
      return true
    case .any(let guards):
      for inner in guards where holds(inner, in: scope) { return true }
      return false
    case .not(let inner): return !holds(inner, in: scope)
    }
  }

  private mutating func passes(_ value: Value?, _ test: Guard.Test, in scope: Scope) -> Bool {
    switch test {
    case .isTrue: value == .bool(true)
    case .present: value != nil && value != .null
    case .absent: value == nil || value == .null
    case .equals(let expression): value == self.value(of: expression, in: scope)
    }
  }
}
