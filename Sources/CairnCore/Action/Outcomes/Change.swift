/// One operation by which a client turns the tree before an action into the tree after it.
public enum Change: Hashable, Sendable {
  case push(in: NodeID, node: Tree)
  /// Removes the children above `to`.
  case pop(in: NodeID, to: NodeID)
  /// Replaces all children. If `kind` is given, the container is a split whose layout has changed to a stack, or back to a split.
  case set(in: NodeID, kind: Node.Kind? = nil, children: [Tree])
  case replace(at: NodeID, node: Tree)
  case remove(node: NodeID)
  case present(on: NodeID, node: Tree)
  case dismiss(node: NodeID)
  /// Shows an overlay in the slot of the node.
  case overlay(node: Tree)
  case select(in: NodeID, index: Int)
  case update(node: NodeID, Update)

  /// The value of the JSON member `op`.
  public var name: String {
    switch self {
    case .push: "push"
    case .pop: "pop"
    case .set: "set"
    case .replace: "replace"
    case .remove: "remove"
    case .present: "present"
    case .dismiss: "dismiss"
    case .overlay: "overlay"
    case .select: "select"
    case .update: "update"
    }
  }

  /// The changed members of a node; an unchanged member is `nil`.
  public struct Update: Hashable, Sendable {
    public var params: [String: Value]?
    public var facts: [String: Value]?
    public var content: Content?
    public var ended: Bool?

    package init(params: [String: Value]? = nil, facts: [String: Value]? = nil, content: Content? = nil, ended: Bool? = nil) {
      self.params = params
      self.facts = facts
      self.content = content
      self.ended = ended
    }
  }
}
