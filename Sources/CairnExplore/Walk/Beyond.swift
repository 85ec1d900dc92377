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
    case .depth: "\(CountText.of(limits.depth, "node")) on a stack (--depth)"
    case .layers: "\(CountText.of(limits.depth, "modal")) on top of one another (--depth)"
    case .effects: "\(CountText.of(limits.effects, "timer or load", plural: "timers and loads")) (--effects)"
    case .waiting: "\(CountText.of(limits.waiting, "queued modal")) (--waiting)"
    case .held: "\(CountText.of(limits.held, "held link")) (--held)"
    case .nodes: "\(CountText.of(limits.nodes, "node")) in total (--depth)"
    }
  }
}
