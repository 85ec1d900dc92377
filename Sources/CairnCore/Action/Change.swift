/// One thing a client plays to get from the old tree to the new one.
public enum Change: Hashable, Sendable {
  case push(in: NodeID, node: Tree)
  /// Everything above `to` goes.
  case pop(in: NodeID, to: NodeID)
  case set(in: NodeID, children: [Tree])
  case replace(at: NodeID, node: Tree)
  case remove(node: NodeID)
  case present(on: NodeID, node: Tree)
  case dismiss(node: NodeID)
  case select(in: NodeID, index: Int)
  case update(node: NodeID, Update)

  /// The value of `op`.
  public var name: String {
    switch self {
    case .push: "push"
    case .pop: "pop"
    case .set: "set"
    case .replace: "replace"
    case .remove: "remove"
    case .present: "present"
    case .dismiss: "dismiss"
    case .select: "select"
    case .update: "update"
    }
  }

  /// What is different on a node that stays; a member that is nil did not change.
  public struct Update: Hashable, Sendable, Codable {
    public var params: [String: Value]?
    public var content: Content?
    public var ended: Bool?
  }
}

extension Change: Encodable {
  private enum Key: String, CodingKey { case op, `in`, node, to, children, at, on, index, params, content, ended }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(name, forKey: .op)
    switch self {
    case .push(let container, let node):
      try members.encode(container, forKey: .in)
      try members.encode(node, forKey: .node)
    case .pop(let container, let node):
      try members.encode(container, forKey: .in)
      try members.encode(node, forKey: .to)
    case .set(let container, let children):
      try members.encode(container, forKey: .in)
      try members.encode(children, forKey: .children)
    case .replace(let old, let node):
      try members.encode(old, forKey: .at)
      try members.encode(node, forKey: .node)
    case .remove(let node):
      try members.encode(node, forKey: .node)
    case .present(let presenter, let node):
      try members.encode(presenter, forKey: .on)
      try members.encode(node, forKey: .node)
    case .dismiss(let node):
      try members.encode(node, forKey: .node)
    case .select(let container, let index):
      try members.encode(container, forKey: .in)
      try members.encode(index, forKey: .index)
    case .update(let node, let update):
      try members.encode(node, forKey: .node)
      try members.encodeIfPresent(update.params, forKey: .params)
      try members.encodeIfPresent(update.content, forKey: .content)
      try members.encodeIfPresent(update.ended, forKey: .ended)
    }
  }
}
