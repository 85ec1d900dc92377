// What a client reads of an answer, in the shape in which it is written.

extension Outcome: Decodable {}

extension Event.Kind: Decodable {}

extension Event: Decodable {
  private enum CodingKeys: String, CodingKey { case type, flow, node, step, params, reason, url, category, link }

  /// Throws on a type that is none.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(Kind.self, forKey: .type), flow: try members.decodeIfPresent(String.self, forKey: .flow),
      node: try members.decodeIfPresent(NodeID.self, forKey: .node), reason: try members.decodeIfPresent(String.self, forKey: .reason),
      url: try members.decodeIfPresent(String.self, forKey: .url), category: try members.decodeIfPresent(String.self, forKey: .category),
      link: try members.decodeIfPresent(LinkID.self, forKey: .link))
    step = try members.decodeIfPresent(String.self, forKey: .step)
    params = try members.decodeIfPresent([String: Value].self, forKey: .params)
  }
}

extension Acceptance: Decodable {
  private enum CodingKeys: String, CodingKey { case steps, primitives, guarded, facts }

  /// What is left out is empty.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      steps: try members.decode([AcceptedStep].self, forKey: .steps), primitives: try members.decode([String].self, forKey: .primitives),
      guarded: try members.decodeIfPresent([String].self, forKey: .guarded) ?? [],
      facts: try members.decodeIfPresent([String: String].self, forKey: .facts) ?? [:])
  }
}
