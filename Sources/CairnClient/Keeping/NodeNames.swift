import CairnCore

/// Names for the nodes that the client's own actions create, with the ids of these nodes in the replica. A post refers to such a node by
/// its name.
struct NodeNames: Sendable {
  /// The number of an action, and the index among the nodes that it creates.
  struct Name: Hashable, Sendable {
    var action: Int
    var node: Int

    var json: Value { ["action": .integer(action), "node": .integer(node)] }

    init(action: Int, node: Int) {
      self.action = action
      self.node = node
    }

    init?(_ json: Value?) {
      guard case .integer(let action)? = json?["action"], case .integer(let node)? = json?["node"] else { return nil }
      self.init(action: action, node: node)
    }
  }

  /// The members of an action that may name a node.
  private static let members = ["from", "node"]
  /// An id that no node has. It replaces a name whose node has not been created.
  private static let unknown = NodeID((1 << 53) - 1)

  private(set) var ids: [Name: NodeID] = [:]

  init(_ ids: [Name: NodeID] = [:]) { self.ids = ids }

  mutating func note(_ nodes: [NodeID], createdBy number: Int) {
    for (place, node) in nodes.enumerated() { ids[Name(action: number, node: place)] = node }
  }

  mutating func rename(_ renamed: [NodeID: NodeID]) {
    if !renamed.isEmpty { ids = ids.mapValues { renamed[$0] ?? $0 } }
  }

  /// Removes the names that none of the actions contains.
  mutating func keep(_ actions: [Value]) {
    let named = Set(actions.flatMap(Self.names))
    ids = ids.filter { named.contains($0.key) }
  }

  /// The names in a posted action.
  static func names(in action: Value) -> [Name] { members.compactMap { Name(action[$0]) } }

  /// Returns an action in its posted form: it names the nodes that unconfirmed actions create, instead of giving their ids. Records these
  /// names.
  mutating func naming(_ action: Value, in replica: Replica?) -> Value {
    var origins: [(Name, NodeID)] = []
    let posted = Self.mapping(action) { member in
      guard case .string(let text) = member, let node = NodeID(text), let origin = replica?.origin(of: node) else { return member }
      let name = Name(action: origin.number, node: origin.place)
      origins.append((name, node))
      return name.json
    }
    for (name, node) in origins { ids[name] = node }
    return posted
  }

  /// Returns a posted action in which each name is replaced by the node's id in the replica.
  func resolving(_ action: Value) -> Value {
    Self.mapping(action) { member in Name(member).map { .string((ids[$0] ?? Self.unknown).description) } ?? member }
  }

  /// Returns an action whose names contain the new numbers of actions. `numbers` maps the old numbers to the new ones.
  static func renumbering(_ action: Value, _ numbers: [Int: Int]) -> Value {
    mapping(action) { member in
      guard var name = Name(member), let number = numbers[name.action] else { return member }
      name.action = number
      return name.json
    }
  }

  private static func mapping(_ action: Value, _ change: (Value) -> Value) -> Value {
    guard case .object(var members) = action else { return action }
    for name in Self.members { members[name] = members[name].map(change) }
    return .object(members)
  }
}
