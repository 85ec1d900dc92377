import CairnCore

extension ModalRules {
  /// Reports a modal that a timer presents without `queue` and `replace`, if another operation presents another modal on the same level.
  /// While the level is occupied, the timer's step is dropped and not sent again. A branch whose conditions name the other modal is not
  /// reported, because its author has considered this case.
  func modalsDroppedByLevel() -> [Finding] {
    let sent = stepsOfTimers
    return operations.compactMap { site -> Finding? in
      guard sent.contains(site.step), case .present(let own, _, _, replace: false, let level?) = site.operation, !level.queue else {
        return nil
      }
      let others = operations.compactMap { other -> String? in
        guard case .present(let contribution, _, _, _, let taken?) = other.operation, taken.number == level.number,
          contribution.target != own.target
        else { return nil }
        return contribution.target.name
      }
      guard let other = others.first(where: { !conditions(of: site, name: $0) }) else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "`\(own.target.name)` is lost if `\(other)` is on level \(level.number) when the timer sends `\(site.step)`, because the timer sends it only once; "
          + "add `queue: true` or `replace: true`")
    }
  }

  /// The steps that timers send, and the steps that the handlers of these steps send without a delay.
  private var stepsOfTimers: Set<String> {
    let parts = operations.map(\.parts)
    let timers = parts.flatMap(\.timers) + makings.flatMap(\.contribution.after) + definition.flows.values.flatMap(\.idle)
    return following(Set(timers.map(\.step.step)))
  }

  /// The steps, and the steps that their handlers send without a delay.
  func following(_ first: Set<String>) -> Set<String> {
    var steps = first
    var open = first
    while !open.isEmpty {
      let next = Set(operations.filter { open.contains($0.step) }.flatMap { $0.parts.sends.map(\.template.step) })
      open = next.subtracting(steps)
      steps.formUnion(open)
    }
    return steps
  }

  /// Whether the condition of the operation's branch, or of an earlier branch, names this screen or flow.
  func conditions(of site: OperationSite, name: String) -> Bool {
    let branches = definition.flows[site.flow]?.handle[site.step]?.branches.prefix(site.branch + 1) ?? []
    return branches.compactMap(\.when).contains { $0.names(name) }
  }
}

extension Guard {
  /// Whether the condition tests for this screen or flow.
  fileprivate func names(_ name: String) -> Bool {
    switch self {
    case .visible(let screens, _), .screen(let screens, _): screens.contains(name)
    case .flow(let flow, _): flow == name
    case .all(let guards), .any(let guards): guards.contains { $0.names(name) }
    case .not(let inner): inner.names(name)
    case .fact, .flowFact, .param, .content, .status, .result, .passed, .between: false
    }
  }
}
