/// A node that a definition can create, and its position.
public struct Arrival: Hashable, Sendable {
  public var contribution: Contribution
  public var way: Way

  /// The position of a new node.
  public enum Way: Hashable, Sendable {
    /// The node is pushed on top of the nearest stack.
    case pushed
    /// The node replaces the top of the nearest stack.
    case replacing
    /// The node is one of several that replace all nodes of a stack.
    case stacked
    case presented(PresentationStyle, on: Operation.Anchor)
    /// The node is presented on a level, over the whole app.
    case raised(PresentationStyle, level: Int)
    /// The node is an overlay: it is shown over the app without covering it.
    case overlay(Operation.Overlay)
    case tab
    /// The node is pushed on the stack of a split's master.
    case master
    case detail
    /// The node is the child of a switch.
    case child
    /// The node is pushed on top of this child of a switch.
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
    case .presented, .raised, .overlay, .tab, .detail, .child: false
    }
  }

  /// Whether the node is presented on a level.
  public var isRaised: Bool {
    if case .raised = self { true } else { false }
  }

  /// Whether the node is an overlay.
  public var isOverlay: Bool {
    if case .overlay = self { true } else { false }
  }

  /// Whether the node is presented, on a node or on a level.
  public var isModal: Bool {
    switch self {
    case .presented, .raised: true
    case .pushed, .replacing, .stacked, .overlay, .tab, .master, .detail, .child, .onChild: false
    }
  }
}

extension FlowDefinition {
  /// The flow's initial nodes. A `screen` flow and its root screen are one node, so the position of its root (`pushed`) is meaningless.
  public var arrivals: [Arrival] {
    switch initialChildren {
    case .empty: []
    case .root(let root): [Arrival(root, container == .oneOf ? .child : .pushed)]
    case .tabs(let tabs): tabs.map { Arrival($0, .tab) }
    case .split(let master, let detail): master.map { Arrival($0, .master) } + [Arrival(detail, .detail)]
    }
  }

  /// The flow's initial nodes, and the nodes that its handlers create.
  var makes: [Arrival] {
    var makes = arrivals
    for handler in handle.values { makes += handler.makes }
    return makes
  }
}

extension Handler {
  /// The nodes that the handler's operations create.
  package var makes: [Arrival] {
    var makes: [Arrival] = []
    for branch in branches {
      for operation in branch.operations { makes += operation.makes }
    }
    return makes
  }
}
