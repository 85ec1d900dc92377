/// Evaluates expressions and guards. It reads a state and changes nothing.
struct Evaluator: Sendable {
  let program: Program
  private(set) var stamp: Stamp
  /// The flows, and the nodes with content, that the action has destroyed, each in its last state.
  var departed: [NodeID: Emitter] = [:]
  #if !CLIENT_ENGINE
    /// The time zones that the action reads and its session does not have yet; `nil` if no condition or timer of the app reads a time zone.
    let zones: ZoneLog?
  #endif

  // Inlined, because each action creates an evaluator.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  init(program: Program, stamp: Stamp) {
    self.program = program
    self.stamp = stamp
    #if !CLIENT_ENGINE
      zones = program.hasZones ? ZoneLog(stamp.zones) : nil
    #endif
  }

  /// The evaluator of the same action with another time or nonce. It shares the time zones that the action has read.
  func with(time: WideInt? = nil, nonce: String? = nil) -> Evaluator {
    var other = self
    if let time { other.stamp.time = time }
    if let nonce { other.stamp.nonce = nonce }
    return other
  }

  /// The value of an expression; `nil` if it reads a missing value.
  func value(of expression: Expression, in scope: Scope, _ state: State) -> Value? {
    switch expression {
    case .literal(let value): return value
    case .reference(let reference): return value(of: reference, in: scope, state)
    case .template(let parts):
      guard let url = filled(parts, in: scope, state), url.isSound else { return nil }
      return bounded(.string(url.text))
    case .array(let elements): return bounded(.array(elements.map { value(of: $0, in: scope, state) ?? .null }))
    case .object(let members):
      var object: [String: Value] = [:]
      for (name, member) in members { object[name] = value(of: member, in: scope, state) }
      return bounded(.object(object))
    case .calculation(let kind, let elements):
      guard let first = elements.first, var result = value(of: first, in: scope, state) else { return nil }
      if kind == .count { return result.elementCount.map { .integer(WideInt($0)) } }
      for element in elements.dropFirst() {
        let other = value(of: element, in: scope, state)
        guard let sum = result.adding(kind == .sum ? other : other?.negated) else { return nil }
        result = sum
      }
      return result
    }
  }

  /// The value of an expression that may be a URL; `nil` if a value is missing. Throws if a value inserted into the path is not a single
  /// segment. Otherwise, the sender of the value could choose a path that is not in the definition.
  func url(of expression: Expression, in scope: Scope, _ state: State) throws(Refusal) -> Value? {
    if case .template(let parts) = expression, let url = filled(parts, in: scope, state), !url.isSound {
      throw Refusal(.valueMismatch, "a value cannot be inserted into the path of a URL: the path segment would be empty, . or ..")
    }
    return value(of: expression, in: scope, state)
  }

  /// A template filled with its values; `nil` if a value is missing.
  private func filled(_ parts: [Expression.Part], in scope: Scope, _ state: State) -> URLFilling? {
    var url = URLFilling()
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let literal): url.add(text: literal)
      case .reference(let reference):
        guard let word = value(of: reference, in: scope, state)?.word else { return nil }
        if index == 0 { url.add(text: word) } else { url.add(value: word) }
      }
    }
    url.finish()
    return url
  }

  /// Returns a composed value; `nil` if the value is too large. Without this limit, a handler could embed a value in itself again and
  /// again.
  private func bounded(_ value: Value) -> Value? { value.isWithinBounds ? value : nil }

  private func value(of reference: Reference, in scope: Scope, _ state: State) -> Value? {
    switch reference {
    case .param(let name): return scope.params[name]
    case .content(let path, nil): return spelled(path, scope, state).flatMap { content(of: scope.emitter, state)?.value?.at($0) }
    case .content(let path, let place?):
      guard let node = node(at: place, in: scope, state), let path = spelled(path, scope, state) else { return nil }
      return state.nodes.details(of: node).content?.value?.at(path)
    case .screen(let path): return Value.object(params(of: scope.emitter, state)).at(path)
    case .fact(let name): return fact(name, state)
    case .flowFact(let name): return flowFact(name, in: scope, state)
    case .flow(let path): return scope.flow.flatMap { node($0, state)?.details }.flatMap { Value.object($0.params).at(path) }
    case .result(let path): return scope.result?.at(path)
    case .error(let member):
      return member == "status" ? scope.failure?.status.map { .integer(WideInt($0)) } : scope.failure.map { .string($0.reason) }
    case .isFirstSight: return scope.isFirstSight.map { .bool($0) }
    case .authorizeURL:
      program.withheld?.noteRead()
      #if CLIENT_ENGINE
        // The engine of a client does not know the authorize URL. `noteRead` prevents the prediction of an action that reads it.
        return program.definition.oauth == nil ? nil : .string("")
      #else
        return program.definition.oauth.map { .string($0.authorizeURL(environment: state.environment, login: LoginNonce(stamp.nonce))) }
      #endif
    }
  }

  /// The value of a fact; `nil` if it is missing, or withheld from this engine.
  private func fact(_ name: String, _ state: State) -> Value? {
    program.withheld?.noteRead(fact: name)
    return state.facts[name]
  }

  /// Returns the path with each member such as `$row` replaced by the value of the param `row`. `$screen.row` and `$flow.row` stand for
  /// params of the sending screen and of the flow. Returns `nil` if a param is missing, or if its value cannot be a name.
  private func spelled(_ path: [String], _ scope: Scope, _ state: State) -> [String]? {
    var spelled: [String] = []
    for member in path {
      guard member.first == "$" else {
        spelled.append(member)
        continue
      }
      guard let word = value(of: Reference(member: member), in: scope, state)?.word else { return nil }
      spelled.append(word)
    }
    return spelled
  }

  /// The content of the node that sends the step; the last content if the node has been destroyed. `nil` if there is none.
  func content(of emitter: Emitter?, _ state: State) -> Content? {
    guard let emitter else { return nil }
    if let record = state.nodes.record(emitter.id), state.stands(record) { return state.nodes.storedDetails(of: record)?.content }
    return (departed[emitter.id] ?? emitter).content
  }

  /// The params of the screen that sends the step. If the screen has been destroyed, its last params. Empty for a flow.
  private func params(of emitter: Emitter?, _ state: State) -> [String: Value] {
    guard let emitter, emitter.record.isLeaf else { return [:] }
    if let record = state.nodes.record(emitter.id), state.stands(record) { return state.nodes.details(of: record).params }
    return emitter.details?.params ?? [:]
  }

  /// The values of named expressions. Missing values are omitted.
  func values(of recipe: Recipe, in scope: Scope, _ state: State) -> [String: Value] {
    if let copy = recipe.copy(of: scope.params) { return copy }
    var values: [String: Value] = [:]
    for (name, expression) in recipe.expressions { values[name] = value(of: expression, in: scope, state) }
    return values
  }

  /// The step of a template with its params evaluated. Throws if the params do not fit the step's declaration.
  func step(from template: CompiledStep, in scope: Scope, _ state: State) throws(Refusal) -> Intent {
    let given = values(of: template.with, in: scope, state)
    guard let params = template.params.checked(given) else {
      let fault = template.params.faults(of: given).first ?? (name: "", fault: "does not fit")
      throw Refusal(.valueMismatch, "the param \(fault.name) of the step \(template.name) \(fault.fault)")
    }
    return Intent(number: template.number, step: Step(template.name, params: params))
  }

  /// Evaluates the params that are known now, and keeps the expressions that read `$result` or `$error` for later. Returns `nil` without a template.
  func partial(_ template: StepTemplate?, in scope: Scope, _ state: State) -> StepTemplate? {
    guard let template else { return nil }
    var with: [String: Expression] = [:]
    for (name, expression) in template.with { with[name] = partial(expression, in: scope, state) }
    return StepTemplate(template.step, with: with, to: template.to)
  }

  private func partial(_ expression: Expression, in scope: Scope, _ state: State) -> Expression? {
    let readsResult = expression.references.contains { $0.isOfEnd }
    guard readsResult else { return value(of: expression, in: scope, state).map(Expression.literal) }
    guard case .object(let members) = expression else { return expression }
    var object: [String: Expression] = [:]
    for (name, member) in members { object[name] = partial(member, in: scope, state) }
    return .object(object)
  }

  /// Evaluates some params of a new node's steps already when the node is created. In the `removed` step, these are all params that do not
  /// read the node itself: at the removal, their values may no longer exist. In the `seen` and `unseen` steps, which are sent repeatedly,
  /// these are only the params that read the step that creates the node.
  func partial(_ steps: NodeSteps, in scope: Scope, _ state: State) -> NodeSteps {
    guard !steps.isEmpty else { return steps }
    return NodeSteps(
      removed: partial(steps.removed, isSight: false, in: scope, state), seen: partial(steps.seen, isSight: true, in: scope, state),
      unseen: partial(steps.unseen, isSight: true, in: scope, state))
  }

  /// With `isSight`, evaluates the params that read the step that creates the node. Otherwise, evaluates the params that do not read the
  /// node itself. Returns `nil` without a template.
  private func partial(_ template: StepTemplate?, isSight: Bool, in scope: Scope, _ state: State) -> StepTemplate? {
    guard let template else { return nil }
    var with = template.with
    for (name, expression) in template.with {
      let isNow = expression.references.contains { isSight ? $0.isOfStep : $0.isOfSpeaker } == isSight
      if isNow { with[name] = value(of: expression, in: scope, state).map(Expression.literal) }
    }
    return StepTemplate(template.step, with: with, to: template.to)
  }

  /// Evaluates the params of a guard's step like those of a `removed` step. Returns `nil` without a guard.
  func partial(leave: Leave?, in scope: Scope, _ state: State) -> Leave? {
    guard let leave, leave.ask != nil else { return leave }
    return Leave(when: leave.when, ask: partial(leave.ask, isSight: false, in: scope, state), asksBeforeTabs: leave.asksBeforeTabs)
  }

  func holds(_ condition: Guard, in scope: Scope, _ state: State) -> Bool {
    switch condition {
    case .fact(let name, let test): return passes(fact(name, state), test, in: scope, state)
    case .flowFact(let name, let test): return passes(flowFact(name, in: scope, state), test, in: scope, state)
    case .param(let name, let test): return passes(scope.params[name], test, in: scope, state)
    case .content(let path, let test, let place):
      return passes(spelled(path, scope, state).flatMap { content(of: place, in: scope, state)?.value?.at($0) }, test, in: scope, state)
    case .status(let status, let place): return (content(of: place, in: scope, state)?.status ?? .idle) == status
    case .result(let path, let test): return passes(scope.result?.at(path), test, in: scope, state)
    case .visible(let screens, let with):
      return state.visibleLeaves.contains { isOne($0, of: screens, with, in: scope, state) }
    case .screen(let screens, let with):
      return state.nodes.records.contains { $0.isLeaf && state.stands($0) && isOne($0, of: screens, with, in: scope, state) }
    case .flow(let name, let with):
      guard state.nodes.isAlive(flow: name), !with.isEmpty else { return state.nodes.isAlive(flow: name) }
      let search = PlaceSearch(.flow(name, with: with), in: scope, state, by: self)
      return state.nodes.records.contains { $0.isAliveFlow && search.matches($0) }
    case .passed(let value, let before):
      guard let moment = self.value(of: value, in: scope, state)?.moment else { return false }
      return stamp.time >= moment - before
    case .between(let start, let end, let name):
      return zone(value(of: name, in: scope, state), state)?.isBetween(start, end, at: stamp.time) ?? false
    case .all(let guards): return guards.allSatisfy { holds($0, in: scope, state) }
    case .any(let guards): return guards.contains { holds($0, in: scope, state) }
    case .not(let inner): return !holds(inner, in: scope, state)
    }
  }

  private func isOne(
    _ leaf: NodeRecord, of screens: [String], _ with: [String: Expression], in scope: Scope, _ state: State
  ) -> Bool {
    screens.contains(state.nodes.name(of: leaf))
      && with.allSatisfy { name, expression in
        guard let expected = value(of: expression, in: scope, state) else { return false }
        return state.nodes.details(of: leaf).params[name] == expected
      }
  }

  private func passes(_ value: Value?, _ test: Guard.Test, in scope: Scope, _ state: State) -> Bool {
    switch test {
    case .isTrue: value == .bool(true)
    case .present: value != nil && value != .null
    case .absent: value == nil || value == .null
    // A missing value equals nothing, not even another missing value.
    case .equals(let expression): value.map { $0 == self.value(of: expression, in: scope, state) } ?? false
    case .among(let values): value.map(values.contains) ?? false
    case .over(let expression): value?.isMore(than: self.value(of: expression, in: scope, state)) ?? false
    case .under(let expression): value?.isLess(than: self.value(of: expression, in: scope, state)) ?? false
    }
  }
}

/// A step, and its number in the program. The number is -1 if the program has no such step.
struct Intent {
  var number: Int
  var step: Step
}
