/// A node that a definition creates, and its place in the tree.
public struct Arrival: Hashable, Sendable {
  public var contribution: Contribution
  public var way: Way

  /// The place of a new node.
  public enum Way: Hashable, Sendable {
    /// On top of the nearest stack.
    case pushed
    /// Replaces the top of a stack.
    case replacing
    /// On a stack whose nodes are all replaced.
    case stacked
    case presented(PresentationStyle, on: Operation.Anchor)
    /// On a level over the whole app.
    case raised(PresentationStyle, level: Int)
    case tab
    /// On the stack of a split's master.
    case master
    case detail
    /// The child of a switch.
    case child
    /// On top of a child of a switch.
    case onChild(flow: String)
  }

  public init(_ contribution: Contribution, _ way: Way) {
    self.contribution = contribution
    self.way = way
  }
}

extension Arrival.Way {
  /// Whether the node is on a stack, so that it can be revealed and removed.
  public var isOnStack: Bool {
    switch self {
    case .pushed, .replacing, .stacked, .master, .onChild: true
    case .presented, .raised, .tab, .detail, .child: false
    }
  }

  /// Whether the node lies over the whole app.
  public var isRaised: Bool {
    if case .raised = self { true } else { false }
  }

  /// Whether the node is presented over the node that creates it.
  public var isModal: Bool {
    switch self {
    case .presented, .raised: true
    case .pushed, .replacing, .stacked, .tab, .master, .detail, .child, .onChild: false
    }
  }
}

extension FlowDefinition {
  /// The initial nodes of the flow. The root of a `screen` flow is on the stack to which the flow is pushed.
  public var arrivals: [Arrival] {
    switch birth {
    case .empty: []
    case .root(let root): [Arrival(root, container == .oneOf ? .child : .pushed)]
    case .tabs(let tabs): tabs.map { Arrival($0, .tab) }
    case .split(let master, let detail): master.map { Arrival($0, .master) } + [Arrival(detail, .detail)]
    }
  }
}
