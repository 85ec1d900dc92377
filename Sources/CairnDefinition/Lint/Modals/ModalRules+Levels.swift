import CairnCore

extension ModalRules {
  /// Reports nodes that are presented on a level and that no step closes. Such a node covers the whole app, and gestures cannot reach the nodes below
  /// it. A sheet whose screen emits no steps is not reported, because the user closes it by a gesture.
  func modalsThatStay() -> [Finding] {
    operations.flatMap { site in
      site.parts.makes.compactMap { arrival -> Finding? in
        guard case .raised(let style, let level) = arrival.way else { return nil }
        let (screen, flow) = (arrival.contribution.screen, arrival.contribution.flow)
        let isMute = definition.screens[screen ?? ""]?.emits == []
        if isMute, style == .sheet { return nil }
        guard let name = screen ?? flow, !closes(name, site.flow), !(style == .alert && !isMute), !mayGo(site.flow) else { return nil }
        return Finding(
          position: places.value(of: site),
          message: "`\(name)` is never dismissed from level \(level): `\(site.flow)`, which presents it, neither dismisses it nor ends")
      }
    }
  }

  /// Whether the presenter dismisses the node or ends, or the presented flow dismisses itself or finishes with a result.
  private func closes(_ name: String, _ presenter: String) -> Bool {
    let own = graph.number(presenter).map { operationsOfFlow[$0] } ?? []
    let within = graph.number(name).map { operationsOfFlow[$0] } ?? []
    return own.contains { $0.closes(name) || $0.parts.removals.contains(.flow) }
      || within.contains { $0.operation == .dismiss(nil) || $0.operation.isGift }
  }

  /// Whether a flow above may remove the flow, and with it all modals that the flow presents.
  private func mayGo(_ flow: String) -> Bool {
    guard let number = graph.number(flow) else { return false }
    let above = graph.above([number])
    return graph.names.indices.contains { other in
      above[other] && other != number && operationsOfFlow[other].contains { !$0.parts.removals.isEmpty }
    }
  }
}

extension OperationSite {
  /// Whether the operation is a `dismiss` or `remove` that can close this screen or flow.
  func closes(_ name: String) -> Bool {
    switch operation {
    case .dismiss(let place): place.map { $0.name == name } ?? true
    case .remove(let place, all: false): place.name == name
    default: false
    }
  }
}
