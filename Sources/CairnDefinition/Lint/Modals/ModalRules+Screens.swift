import CairnCore

extension ModalRules {
  /// Reports presented screens that no gesture and no step closes: screens that cover the whole app, and alerts that emit no steps. Any
  /// other alert closes when it sends a step.
  func endlessScreens() -> [Finding] {
    operations.flatMap { site -> [Finding] in
      site.parts.makes.compactMap { arrival in
        guard case .presented(let style, let anchor) = arrival.way, let screen = arrival.contribution.screen, style != .sheet else {
          return nil
        }
        if style == .alert, definition.screens[screen]?.emits != [] { return nil }
        guard let flow = graph.number(site.flow), !isCovered(by: flow, on: anchor) else { return nil }
        return Finding(
          position: places.value(of: site),
          message:
            "the screen `\(screen)` is never dismissed: neither `\(site.flow)`, which presents it, nor a flow above it dismisses or removes anything"
        )
      }
    }
  }

  /// Reports overlays without `for` that nothing closes: no operation names the screen or replaces the overlay in its slot, and no handler
  /// of the screen's steps has a `dismiss` without a place.
  func endlessOverlays() -> [Finding] {
    operations.flatMap { site -> [Finding] in
      site.parts.makes.compactMap { arrival in
        guard case .overlay(let place) = arrival.way, place.time == nil, let screen = arrival.contribution.screen else { return nil }
        let emits = definition.screens[screen]?.emits
        let isClosed = operations.contains { other in
          switch other.operation {
          case .dismiss(nil): emits?.contains(other.step) ?? true
          case .dismiss(let named?), .remove(let named, _): named.name == screen
          case .overlay(_, let next): next.replace && next.slot == place.slot
          default: false
          }
        }
        guard !isClosed else { return nil }
        return Finding(
          position: places.value(of: site),
          message: "nothing closes the overlay `\(screen)`: add `for`, such as `for: 8s`, or `dismiss: \(screen)` in a handler")
      }
    }
  }

  /// Whether an operation of the presenter, or of a flow above it, may close the presenter's modals.
  private func isCovered(by presenter: Int, on anchor: Operation.Anchor) -> Bool {
    let own: Set<OperationParts.Removal> = anchor == .screen ? [.modal, .covers, .nodes, .flow] : [.modal, .covers, .flow]
    if operationsOfFlow[presenter].contains(where: { !$0.parts.removals.isDisjoint(with: own) }) { return true }
    let above = graph.above([presenter])
    return graph.names.indices.contains { other in
      above[other] && other != presenter
        && operationsOfFlow[other].contains { !$0.parts.removals.isDisjoint(with: [.modal, .covers, .nodes, .flow]) }
    }
  }
}
