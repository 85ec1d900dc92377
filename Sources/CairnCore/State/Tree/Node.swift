/// An instance of a screen or flow in a session's tree.
public struct Node: Hashable, Sendable, Identifiable, FlaggedNode {
  public let id: NodeID
  public var kind: Kind
  /// The name of the screen, or of the flow for a container. A `screen` flow has the name of its screen.
  public var name: String
  /// The flow that this node is an instance of; `nil` for a screen and for the master pane of a split.
  public var flow: String?
  /// The flow instance that created the node and handles its steps. For a flow, this is its parent flow; `nil` for the root.
  public var owner: NodeID?
  /// The container or presenter of the node; `nil` for the root.
  public var parent: NodeID?
  public var children: [NodeID] = []
  public var selected: Int?
  public var presented: NodeID?
  public var style: PresentationStyle?
  /// The screen on which a modal was presented (`on: screen`); `nil` for other nodes.
  public var on: NodeID?
  public var params: [String: Value] = [:]
  /// The facts of a flow that have a value.
  public var facts: [String: Value] = [:]
  public var content: Content?
  /// The boolean properties of the node. In a node table, `isGuarded` is derived from `leave`.
  public var flags: NodeFlags = []
  public var listen: Listen = Listen()
  /// The steps that the node itself sends. A screen's own steps are in its definition.
  public var steps = NodeSteps()
  /// The guard that runs before a gesture removes the node.
  public var leave: Leave?
  /// The level on which the node is presented, or for which it waits, from 1 to 255; `nil` for no level. The parent of a node with a level is the
  /// root, whose `children` do not include it.
  public var level: Int?
  /// The number by which a modal that was put on top again is compared with the ids of other modals; `nil` for any other node.
  public var order: NodeID?
  /// The OAuth state of the authorize URL in the node's params or content; `nil` if they contain none. Valid until a redirect with this state is accepted, or
  /// until the node is removed.
  public var authorization: String?
  /// The receiver of the node's result; `nil` if there is none, or once the result has been sent.
  public var resultReceiver: ResultReceiver?
  /// The tabs that the user has left, each once, the tab left last at the end. Only with `back: history`.
  public var visited: [NodeID] = []
  /// The slot of an overlay, shown or waiting; `nil` for other nodes. The parent of an overlay is the root, whose `children` do not include it.
  public var slot: String?

  public init(id: NodeID, kind: Kind, name: String, flow: String? = nil, owner: NodeID?, parent: NodeID?) {
    self.id = id
    self.kind = kind
    self.name = name
    self.flow = flow
    self.owner = owner
    self.parent = parent
  }

  /// Whether the node is a screen or alert, which has no children.
  public var isLeaf: Bool { kind.isLeaf }

  /// The child in front: the top of a stack, the selected tab, the child of a switch, or the detail of a split; `nil` if there is none.
  public var front: NodeID? {
    kind.rules?.frontIndex(of: children.count, selected: selected).map { children[$0] }
  }
}
