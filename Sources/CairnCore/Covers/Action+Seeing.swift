#if !CLIENT_ENGINE
  extension Action {
    /// The node that a client passes as `from` while its user sees this state; `nil` for an action other than a step or gesture. For a
    /// step, it is the visible screen; `nil` unless exactly one screen is visible. For a gesture, it is the node in front. For a tap on a
    /// tab that is not selected, it is the tab container: the tap must select the tab, whichever tab is selected when the action arrives.
    package func origin(seeing state: State) -> NodeID? {
      switch self {
      case .step:
        let leaves = state.visibleLeaves
        return leaves.count == 1 ? leaves[0].nodeID : nil
      case .gesture(.select(let selection, let node), _):
        guard let front = state.visibleEnd?.nodeID else { return nil }
        let around = state.ancestors(of: front, acrossModals: false).lazy.compactMap { state.nodes.record($0) }
        guard let tabs = around.first(where: { $0.kind == .tabs && (node ?? $0.nodeID) == $0.nodeID }) else { return front }
        let isSelected =
          switch selection {
          case .tab(let index): tabs.selectedIndex == index
          case .flow(let flow): state.front(of: tabs).flatMap { state[$0] }?.name == flow
          }
        return isSelected ? front : tabs.nodeID
      case .gesture: return state.visibleEnd?.nodeID
      default: return nil
      }
    }
  }
#endif
