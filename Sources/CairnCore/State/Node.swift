/// An instance of a screen or flow in a session's tree.
public struct Node: Hashable, Sendable, Identifiable, FlaggedNode {
  public let id: NodeID
  public var kind: Kind
  /// The name of the screen, or of the flow for a container. A `screen` flow has the name of its screen.
  public var name: String
  /// The flow that this node is an instance of; `nil` for a screen and for the master pane of a split.
  public var flow: String?
  /// The flow instance that created the node and handles its steps. For a flow, its parent flow; `nil` for the root.
  public var owner: NodeID?
  /// The container of the node, or the node that presents it; `nil` for the root.
  public var parent: NodeID?
  public var children: [NodeID] = []
  public var selected: Int?
  public var presented: NodeID?
  public var style: PresentationStyle?
  /// The screen that requested the node with `on: screen`, if it is presented.
  public var on: NodeID?
  public var params: [String: Value] = [:]
  public var content: Content?
  /// The node's flags. In a table, `isGuarded` is derived from `leave`.
  public var flags: NodeFlags = []
  public var listen: Listen = Listen()
  public var left: StepTemplate?
  /// The node's reaction to a gesture that would remove it; `nil` if the gesture may.
  public var leave: Leave?
  /// The level on which the node is presented or waits to be presented, 1 to 255; `nil` if it has none. A node with a level has the root as
  /// its parent, but is not one of its children.
  public var level: Int?
  /// The OAuth state in the authorize URL that this node contains. It is valid until the node is removed.
  public var authorization: String?
  /// The receiver of the node's result, until the result is sent.
  public var resultReceiver: ResultReceiver?

  public init(id: NodeID, kind: Kind, name: String, flow: String? = nil, owner: NodeID?, parent: NodeID?) {
    self.id = id
    self.kind = kind
    self.name = name
    self.flow = flow
    self.owner = owner
    self.parent = parent
  }

  /// Whether the node is a screen or an alert, which has no children.
  public var isLeaf: Bool { kind.isLeaf }

  /// The child in front: the top of a stack, the selected tab, the child of a switch, the detail of a split.
  public var front: NodeID? {
    kind.rules?.frontIndex(of: children.count, selected: selected).map { children[$0] }
  }
}
