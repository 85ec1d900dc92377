import CairnCore

/// The limit that a state exceeds, so that its moves are not tried.
enum Beyond: CaseIterable, Sendable {
  case depth, layers, effects, waiting, held, nodes

  /// Returns `nil` if the state exceeds no limit.
  init?(_ state: State, _ limits: Limits) {
    let heights = state.heights
    if heights.stack > limits.depth {
      self = .depth
    } else if heights.layers > limits.depth {
      self = .layers
    } else if state.effects.count > limits.effects {
      self = .effects
    } else if state.waitingCount > limits.waiting {
      self = .waiting
    } else if state.pendingLinks.count > limits.held {
      self = .held
    } else if state.nodes.count > limits.nodes {
      self = .nodes
    } else {
      return nil
    }
  }

  /// The limit as text, with the flag that raises it.
  func description(_ limits: Limits) -> String {
    switch self {
    case .depth: "\(limits.depth) nodes on a stack (--depth)"
    case .layers: "\(limits.depth) modals on top of one another (--depth)"
    case .effects: "\(limits.effects) timers and loads (--effects)"
    case .waiting: "\(limits.waiting) queued modals (--waiting)"
    case .held: "\(limits.held) held links (--held)"
    case .nodes: "\(limits.nodes) nodes in total (--depth)"
    }
  }
}
