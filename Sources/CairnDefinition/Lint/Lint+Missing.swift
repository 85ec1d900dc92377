import CairnCore

extension Lint {
  /// Reports optional values that are passed to required params or used as the time of a timer. If such a value is missing at run time, the
  /// step is refused or dropped, or the timer does not start. A condition on the value, or a write before the operation, prevents the
  /// warning.
  func missingValues() -> [Finding] {
    operations.compactMap { site in
      for (what, params, given) in receivers(of: site.parts) {
        for (name, expression) in given.sortedByKey {
          guard let type = params[name], !type.isOptional, type.defaultValue == nil, case .reference(let reference) = expression,
            let missing = missing(reference, at: site)
          else { continue }
          return Finding(
            position: places.value(of: site), message: "\(missing), but \(what) requires `\(name)`: test the value with `is: present` first"
          )
        }
      }
      for timer in site.parts.timers + site.parts.makes.flatMap(\.contribution.after) {
        guard case .reference(let reference)? = timer.value, let missing = missing(reference, at: site) else { continue }
        return Finding(
          position: places.value(of: site),
          message: "\(missing), and then the timer of `\(timer.step.step)` does not start: test the value with `is: present` first")
      }
      return nil
    }
  }

  private typealias Receiver = (what: String, params: [String: ParameterDefinition], given: [String: Expression])

  /// The receivers of an operation's values: the flows and screens that the operation creates, and the steps that it sends.
  private func receivers(of parts: OperationParts) -> [Receiver] {
    let flows = parts.makes.compactMap { arrival -> Receiver? in
      guard let flow = arrival.contribution.flow else { return nil }
      return ("the flow `\(flow)`", definition.flows[flow]?.params ?? [:], arrival.contribution.with)
    }
    let screens = parts.makes.compactMap { arrival -> Receiver? in
      guard let screen = arrival.contribution.screen else { return nil }
      return ("the screen `\(screen)`", definition.screens[screen]?.params ?? [:], arrival.contribution.with)
    }
    let steps = (parts.sends.map(\.template) + parts.timers.map(\.step)).map { template -> Receiver in
      ("the step `\(template.step)`", definition.steps[template.step]?.params ?? [:], template.with)
    }
    return screens + flows + steps
  }

  /// The reason why a value may be missing; `nil` if the value is always present, or if its presence is unknown.
  private func missing(_ reference: Reference, at site: OperationSite) -> String? {
    let branches = definition.flows[site.flow]?.handle[site.step]?.branches ?? []
    guard branches.indices.contains(site.branch) else { return nil }
    let before = branches[..<site.branch].compactMap(\.when)
    let branch = branches[site.branch]
    switch reference {
    case .param(let name):
      guard let type = definition.steps[site.step]?.params[name], type.isOptional, type.defaultValue == nil else { return nil }
      let isSure = branch.when?.wants { $0.test(ofParam: name) } == true || before.contains { $0.passesOnly { $0.test(ofParam: name) } }
      return isSure ? nil : "the param `\(name)` is optional and may be missing"
    case .fact(let name):
      guard let fact = definition.facts[name], fact.type.defaultValue == nil, fact.environment == nil else { return nil }
      let isWritten =
        if case .write? = branch.operations.prefix(site.index).last(where: { $0.parts.writes.contains(name) }) { true } else { false }
      let isSure = branch.when?.wants { $0.test(ofFact: name) } == true || before.contains { $0.passesOnly { $0.test(ofFact: name) } }
      return isSure || isWritten ? nil : "the fact `\(name)` may have no value"
    case .flowFact(let name):
      guard let fact = definition.flows[site.flow]?.facts[name], fact.defaultValue == nil else { return nil }
      let isWritten =
        if case .write? = branch.operations.prefix(site.index).last(where: { $0.parts.writes.contains(name) }) { true } else { false }
      let isSure = branch.when?.wants { $0.test(ofFact: name) } == true || before.contains { $0.passesOnly { $0.test(ofFact: name) } }
      return isSure || isWritten ? nil : "the fact `\(name)` may have no value"
    case .content(let path, _):
      // The members of a response are unknown.
      guard let first = path.first, !first.hasPrefix("$"), !hasRequests, !writesMember(first), !writesUnknownContent else { return nil }
      return "no operation or load writes the content `\(path.joined(separator: "."))`"
    case .screen, .flow, .result, .error, .authorizeURL, .isFirstSight: return nil
    }
  }

  /// Whether any load writes a response into content. The response's members are unknown.
  var hasRequests: Bool {
    (makings.compactMap(\.contribution.load) + operations.flatMap(\.parts.loads)).contains {
      if case .request = $0.source { true } else { false }
    }
  }

  /// Whether content is created from a reference, or written at a path that begins with a reference. The members of such content are unknown.
  var writesUnknownContent: Bool {
    makings.contains { making in
      if case .reference? = making.contribution.content { return true }
      if case .value(.reference)? = making.contribution.load?.source { return true }
      return false
    }
      || operations.contains { site in
        if case .content(let edits, _) = site.operation {
          return edits.contains { if case .reference? = $0.path.first { true } else { false } }
        }
        return site.parts.loads.contains { if case .value(.reference) = $0.source { true } else { false } }
      }
  }
}

extension Guard {
  /// Whether the condition can only be true if the value exists. `test` extracts the test of this value from a simple condition.
  fileprivate func wants(_ test: (Guard) -> Guard.Test?) -> Bool {
    switch self {
    case .all(let guards): guards.contains { $0.wants(test) }
    case .any(let guards): guards.allSatisfy { $0.wants(test) }
    case .not(let inner): test(inner) == .absent
    default: test(self).map { $0 != .absent } ?? false
    }
  }

  /// Whether the condition is always true if the value does not exist, so that later branches run only if the value exists.
  fileprivate func passesOnly(_ test: (Guard) -> Guard.Test?) -> Bool {
    switch self {
    case .any(let guards): guards.contains { $0.passesOnly(test) }
    case .all(let guards): guards.allSatisfy { $0.passesOnly(test) }
    case .not(let inner): test(inner) == .present
    default: test(self) == .absent
    }
  }

  fileprivate func test(ofParam name: String) -> Guard.Test? { if case .param(name, let test) = self { test } else { nil } }

  fileprivate func test(ofFact name: String) -> Guard.Test? {
    switch self {
    case .fact(name, let test), .flowFact(name, let test): test
    default: nil
    }
  }
}
