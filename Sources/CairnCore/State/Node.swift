/// An instance of a screen or flow in a session's tree.
public struct Node: Hashable, Sendable, Identifiable, FlaggedNode {
  public let id: NodeID
  public var kind: Kind
  /// The screen's name; for a container the flow's. A `screen` flow is named by its screen.
  public var name: String
  /// The flow that this node is an instance of; nil for a screen (and for the master pane of a split).
  public var flow: String?
  /// The flow instance that made it and handles its steps; for a flow, its parent flow. `nil`: the root.
  public var owner: NodeID?
  /// The container, or who presents it. nil: the root.
  public var parent: NodeID?
  public var children: [NodeID] = []
  public var selected: Int?
  public var presented: NodeID?
  public var style: PresentationStyle?
  /// The screen that asked for it, when it was presented `on: screen`.
  public var on: NodeID?
  public var params: [String: Value] = [:]
  public var content: Content?
  /// `isGuarded` follows from `leave` once the node is in a table.
  public var flags: NodeFlags = []
  public var listen: Listen = Listen()
  public var left: StepTemplate?
  /// Asked before a gesture takes it away.
  public var leave: Leave?
  /// The level that it is presented on, or waits for, 1 to 255; nil: none. Such a node hangs on the root, and is none of its children.
  public var level: Int?
  /// The OAuth state of the authorize URL that this node carries: valid while the node lives.
  public var authorization: String?
  /// Who asked for its result, until it is known.
  public var resultReceiver: ResultReceiver?

  public init(id: NodeID, kind: Kind, name: String, flow: String? = nil, owner: NodeID?, parent: NodeID?) {
    self.id = id
    self.kind = kind
    self.name = name
    self.flow = flow
    self.owner = owner
    self.parent = parent
  }

  /// A screen or alert: it shows something itself.
  public var isLeaf: Bool { kind.isLeaf }

  /// The child in front: the top of a stack, the selected tab, the child of a switch, the detail of a split.
  public var front: NodeID? {
    kind.rules?.frontIndex(of: children.count, selected: selected).map { children[$0] }
  }
}
