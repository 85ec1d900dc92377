public import CairnCore

extension Node.Kind: Decodable {}

extension PresentationStyle: Decodable {}

extension ContentStatus: Decodable {}

extension Content: Decodable {
  private enum CodingKeys: String, CodingKey { case status, value, error }

  /// Reads the content of a node. The value is `nil` only if the member `value` is missing; `null` counts as a value.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      status: try members.decode(ContentStatus.self, forKey: .status),
      value: members.contains(.value) ? try members.decode(Value.self, forKey: .value) : nil,
      error: try members.decodeIfPresent(String.self, forKey: .error))
  }
}

extension Tree: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, kind, name, flow, params, facts, children, selected, presented, style, level, levels, slot, overlays, on, order, content, meta
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(NodeID.self, forKey: .id), kind: try members.decode(Node.Kind.self, forKey: .kind),
      name: try members.decode(String.self, forKey: .name))
    flow = try members.decodeIfPresent(String.self, forKey: .flow)
    params = try members.decodeIfPresent([String: Value].self, forKey: .params)
    facts = try members.decodeIfPresent([String: Value].self, forKey: .facts)
    children = try members.decodeIfPresent([Tree].self, forKey: .children)
    selected = try members.decodeIfPresent(Int.self, forKey: .selected)
    presented = try members.decodeIfPresent(Tree.self, forKey: .presented)
    style = try members.decodeIfPresent(PresentationStyle.self, forKey: .style)
    level = try members.decodeIfPresent(Int.self, forKey: .level)
    levels = try members.decodeIfPresent([Tree].self, forKey: .levels)
    slot = try members.decodeIfPresent(String.self, forKey: .slot)
    overlays = try members.decodeIfPresent([Tree].self, forKey: .overlays)
    on = try members.decodeIfPresent(NodeID.self, forKey: .on)
    order = try members.decodeIfPresent(Int.self, forKey: .order)
    content = try members.decodeIfPresent(Content.self, forKey: .content)
    meta = try members.decodeIfPresent(Value.self, forKey: .meta)
    let marks = try decoder.container(keyedBy: FlagKey.self)
    for row in NodeFlags.rows {
      guard let name = row.shown else { continue }
      flags[row.flag] = try marks.decodeIfPresent(Bool.self, forKey: FlagKey(stringValue: name.description)) ?? false
    }
  }

  /// The key of a boolean property.
  private struct FlagKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }
}

extension RouteEntry: Decodable {
  private enum CodingKeys: String, CodingKey { case id, screen, params, flow, presented }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(NodeID.self, forKey: .id), screen: try members.decode(String.self, forKey: .screen),
      params: try members.decodeIfPresent([String: Value].self, forKey: .params),
      flow: try members.decodeIfPresent(String.self, forKey: .flow), presented: try members.decodeIfPresent(Bool.self, forKey: .presented))
  }
}
