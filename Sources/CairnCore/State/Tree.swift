/// A node with all nodes below it, in the form that clients receive.
public struct Tree: Hashable, Sendable, FlaggedNode {
  public var id: NodeID
  public var kind: Node.Kind
  public var name: String
  /// The flow's name if the node is a `screen` flow; otherwise `nil`.
  public var flow: String?
  public var params: [String: Value]?
  public var children: [Tree]?
  public var selected: Int?
  /// Contains at most one tree. It is an array, because a struct cannot contain itself.
  private var presentedNodes: [Tree]?
  public var style: PresentationStyle?
  /// The level on which the node is presented.
  public var level: Int?
  /// The modals on levels, the lowest level first. Only the root has them; `nil` if there are none.
  public var levels: [Tree]?
  /// The screen that requested the node.
  public var on: NodeID?
  public var content: Content?
  /// The flags that clients receive.
  public var flags: NodeFlags = []
  public var meta: Value?

  public var presented: Tree? {
    get { presentedNodes?.first }
    set { presentedNodes = newValue.map { [$0] } }
  }

  public init(id: NodeID, kind: Node.Kind, name: String) {
    self.id = id
    self.kind = kind
    self.name = name
  }
}
