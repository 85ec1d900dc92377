/// One change to a part of a node's content.
public struct ContentEdit: Hashable, Sendable {
  /// The path of members in the content value. A member may be an expression (`rows.$row`).
  public var path: [Expression]
  public var change: Write

  public enum Write: Hashable, Sendable {
    case set(Expression)
    /// Adds to an integer or number. A missing member of existing content counts as 0.
    case add(Expression)
    /// Removes a member.
    case remove
  }

  public init(path: [Expression], change: Write) {
    self.path = path
    self.change = change
  }
}

extension ContentEdit {
  /// The expressions that the edit evaluates.
  public var expressions: [Expression] {
    switch change {
    case .set(let value), .add(let value): path + [value]
    case .remove: path
    }
  }
}
