/// A node with all that is below it, as a client sees it.
public struct Tree: Hashable, Sendable, FlaggedNode {
  public var id: NodeID
  public var kind: Node.Kind
  public var name: String
  /// Only where the node is a `screen` flow: the flow's name.
  public var flow: String?
  public var params: [String: Value]?
  public var children: [Tree]?
  public var selected: Int?
  /// At most one; an array because a value cannot hold itself.
  private var presentedNodes: [Tree]?
  public var style: PresentationStyle?
  /// The level that it is presented on.
  public var level: Int?
  /// The modals on levels, the lowest first; only on the root, and `nil` if there are none.
  public var levels: [Tree]?
  /// The screen that asked for it.
  public var on: NodeID?
  public var content: Content?
  /// Those that clients see.
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
