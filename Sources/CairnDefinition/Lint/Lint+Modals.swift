import CairnCore

extension Lint {
  /// Flows that are presented and nothing else, and that no step closes. A sheet whose screens have nothing to say (`emits: []`)
  /// is left out: it is meant to be closed by the user's own gesture.
  func endlessFlows() -> [Finding] {
    definition.flows.keys.sorted().compactMap { flow in
      let ways = makings.filter { $0.contribution.flow == flow }
      guard !ways.isEmpty, ways.allSatisfy(\.arrival.way.isModal) else { return nil }
      guard !ends(flow), !isMute(flow, ways), !isClosed(flow, ways) else { return nil }
      let makers = Set(ways.compactMap(\.maker)).sorted().joined(separator: ", ")
      return Finding(
        position: places.name("flows", flow),
        message: "nothing closes the flow \(flow): it has no end, and \(makers), which presents it, has no dismiss")
    }
  }

  private func ends(_ flow: String) -> Bool {
    definition.operations.contains { $0.flow == flow && $0.operation.parts.removals.contains(.flow) }
  }

  private func isMute(_ flow: String, _ ways: [Making]) -> Bool {
    screens(in: flow).allSatisfy { definition.screens[$0]?.emits == [] }
      && ways.allSatisfy { if case .presented(.sheet, _) = $0.arrival.way { true } else { false } }
  }

  private func screens(in flow: String) -> Set<String> {
    let flows = makings.flows(from: [flow])
    return Set(makings.filter { $0.maker.map(flows.contains) ?? false }.compactMap(\.contribution.screen))
  }

  /// Whether who presents it dismisses it, or does something at a step of its that takes it away; or a flow above does.
  private func isClosed(_ flow: String, _ ways: [Making]) -> Bool {
    let presenters = Set(ways.compactMap(\.maker))
    let below = makings.flows(from: [flow])
    let above = definition.flows.keys.filter { other in
      !presenters.contains(other) && !below.contains(other) && !makings.flows(from: [other]).isDisjoint(with: presenters)
    }
    let isOnScreen = ways.contains { if case .presented(_, on: .screen) = $0.arrival.way { true } else { false } }
    return definition.operations.contains { site in
      let removals = site.operation.parts.removals
      if presenters.contains(site.flow) {
        return removals.contains(.modal)
          || comes(site.step, from: flow) && (removals.contains(.covers) || isOnScreen && !removals.isDisjoint(with: [.nodes, .flow]))
      }
      return above.contains(site.flow) && comes(site.step, from: flow) && !removals.isDisjoint(with: [.covers, .nodes, .flow])
    }
  }

  /// Whether a screen of the flow, or of one below it, may emit the step, or the flow passes it on.
  private func comes(_ step: String, from flow: String) -> Bool {
    screens(in: flow).contains { definition.screens[$0]?.emits?.contains(step) ?? true }
      || definition.operations.contains { site in
        site.flow == flow && site.operation.parts.sends.contains { $0.to == .parent && $0.template.step == step }
      }
  }
}
