import CairnCore

extension ModalRules {
  /// Reports operations that need a stack, if their flow can be created outside of every stack. There, a push is refused (`no-stack`).
  func pushesWithoutStack() -> [Finding] {
    operations.compactMap { site in
      let needsStack = site.parts.makes.contains { $0.way == .pushed || $0.way == .replacing }
      guard needsStack, let flow = graph.number(site.flow), !isAfterReveal(site), let place = placeWithoutStack(of: flow) else {
        return nil
      }
      return Finding(
        position: places.value(of: site),
        message: "`\(site.word)` finds no stack: `\(site.flow)` has none, and no stack contains it \(place)")
    }
  }

  /// Whether the definition creates a node in the master of this split.
  private func hasMaster(_ split: String) -> Bool {
    makings.contains { making in
      guard making.maker == split, case .master = making.arrival.way else { return false }
      return true
    }
  }

  /// Whether a `reveal` precedes the operation in its list, so that the operation applies to the revealed screen's stack.
  private func isAfterReveal(_ site: OperationSite) -> Bool {
    guard let branches = definition.flows[site.flow]?.handle[site.step]?.branches, branches.indices.contains(site.branch) else {
      return false
    }
    return branches[site.branch].operations.prefix(site.index).contains {
      $0.parts.goals.contains { goal in
        switch goal {
        case .front: true
        default: false
        }
      }
    }
  }

  /// A place where the flow is created and no stack contains it, as words for a message. `nil` if a stack always contains the flow, or if
  /// the flow has its own stack.
  private func placeWithoutStack(of flow: Int) -> String? {
    let name = graph.names[flow]
    guard let container = definition.flows[name]?.container, container != .stack, !hasMaster(name) else { return nil }
    var seen: Set<Int> = []
    var next = [flow]
    while let inner = next.popLast() {
      guard seen.insert(inner).inserted else { continue }
      for making in makings where making.contribution.flow == graph.names[inner] {
        guard let maker = making.maker else { return "at the app's root" }
        switch making.arrival.way {
        case .presented, .raised, .overlay: return "where `\(maker)` presents \(inner == flow ? "it" : "`\(graph.names[inner])`")"
        case .pushed, .replacing, .stacked, .master, .onChild: break
        case .tab, .detail, .child:
          // If the flow that creates the node is not a stack, the search continues with the flows around that flow.
          if definition.flows[maker]?.container != .stack, let number = graph.number(maker) { next.append(number) }
        }
      }
    }
    return nil
  }
}
