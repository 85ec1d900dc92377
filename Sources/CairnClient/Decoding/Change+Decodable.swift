public import CairnCore

extension Change: Decodable {
  private enum CodingKeys: String, CodingKey {
    case op, `in`, node, to, kind, children, at, on, index, params, facts, content, ended
  }

  /// Reads a change in the form that `write(to:)` writes. Throws for an unknown `op`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func id(_ key: CodingKeys) throws -> NodeID { try members.decode(NodeID.self, forKey: key) }
    func tree() throws -> Tree { try members.decode(Tree.self, forKey: .node) }
    switch try members.decode(String.self, forKey: .op) {
    case "push": self = .push(in: try id(.in), node: try tree())
    case "pop": self = .pop(in: try id(.in), to: try id(.to))
    case "set":
      self = .set(
        in: try id(.in), kind: try members.decodeIfPresent(Node.Kind.self, forKey: .kind),
        children: try members.decode([Tree].self, forKey: .children))
    case "replace": self = .replace(at: try id(.at), node: try tree())
    case "remove": self = .remove(node: try id(.node))
    case "present": self = .present(on: try id(.on), node: try tree())
    case "overlay": self = .overlay(node: try tree())
    case "dismiss": self = .dismiss(node: try id(.node))
    case "select": self = .select(in: try id(.in), index: try members.decode(Int.self, forKey: .index))
    case "update":
      var update = Update()
      update.params = try members.decodeIfPresent([String: Value].self, forKey: .params)
      update.facts = try members.decodeIfPresent([String: Value].self, forKey: .facts)
      update.content = try members.decodeIfPresent(Content.self, forKey: .content)
      update.ended = try members.decodeIfPresent(Bool.self, forKey: .ended)
      self = .update(node: try id(.node), update)
    case let other:
      throw DecodingError.dataCorruptedError(forKey: .op, in: members, debugDescription: "unknown operation: \(other)")
    }
  }
}
