/// A node with all its descendants, as clients receive it.
public struct Tree: Hashable, Sendable, FlaggedNode {
  public var id: NodeID
  public var kind: Node.Kind
  public var name: String
  /// The flow's name for a `screen` flow; otherwise `nil`.
  public var flow: String?
  public var params: [String: Value]?
  /// The facts of a flow that have a value; `nil` if there are none.
  public var facts: [String: Value]?
  public var children: [Tree]?
  public var selected: Int?
  /// The presented node; `nil` if there is none. An array, because a struct cannot contain itself.
  private var presentedNodes: [Tree]?
  public var style: PresentationStyle?
  /// The level on which the node is presented; `nil` for no level.
  public var level: Int?
  /// The modals on levels, the lowest first; only on the root. `nil` if there are none.
  public var levels: [Tree]?
  /// The slot of an overlay; `nil` for other nodes.
  public var slot: String?
  /// The overlays, the oldest first; only on the root. `nil` if there are none.
  public var overlays: [Tree]?
  /// The screen on which the modal was presented; `nil` for other nodes.
  public var on: NodeID?
  /// The number by which modals over the same layer are ordered, the highest in front; `nil` for the number in the id. Present after another client's
  /// action has put the modal on top again.
  public var order: Int?
  public var content: Content?
  /// The flags that clients see.
  public var flags: NodeFlags = []
  public var meta: Value?

  public var presented: Tree? {
    get { presentedNodes?.first }
    set { presentedNodes = newValue.map { [$0] } }
  }

  /// The number by which modals over the same layer are ordered, the highest in front.
  package var frontOrder: Int { order ?? Int(id.number) }

  /// The nodes directly below this one: its children, its modal, and on the root the overlays and the modals on levels.
  package var below: [Tree] { (children ?? []) + (presentedNodes ?? []) + (overlays ?? []) + (levels ?? []) }

  public init(id: NodeID, kind: Node.Kind, name: String) {
    self.id = id
    self.kind = kind
    self.name = name
  }
}
