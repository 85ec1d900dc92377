public import CairnCore

extension Outcome: Decodable {}

extension Login.Status: Decodable {}

extension Login: Decodable {
  private enum CodingKeys: String, CodingKey { case status, reason }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      status: try members.decode(Status.self, forKey: .status), reason: try members.decodeIfPresent(String.self, forKey: .reason))
  }
}

extension Event.Kind: Decodable {}

extension Event: Decodable {
  private enum CodingKeys: String, CodingKey {
    case type, flow, node, step, params, reason, url, category, link, question, sender, first, key, held
  }
  private enum SenderKeys: String, CodingKey { case client, action }

  /// Reads an event. Throws for an unknown type.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try members.decode(Kind.self, forKey: .type), flow: try members.decodeIfPresent(String.self, forKey: .flow),
      node: try members.decodeIfPresent(NodeID.self, forKey: .node), reason: try members.decodeIfPresent(String.self, forKey: .reason),
      url: try members.decodeIfPresent(String.self, forKey: .url), category: try members.decodeIfPresent(String.self, forKey: .category),
      link: try members.decodeIfPresent(LinkID.self, forKey: .link),
      question: try members.decodeIfPresent(QuestionID.self, forKey: .question),
      isFirst: try members.decodeIfPresent(Bool.self, forKey: .first),
      key: try members.decodeIfPresent(String.self, forKey: .key))
    held = try members.decodeIfPresent(HeldID.self, forKey: .held)
    if let sender = try? members.nestedContainer(keyedBy: SenderKeys.self, forKey: .sender) {
      self.sender = Sender(
        client: try sender.decode(String.self, forKey: .client), number: try sender.decode(WideInt.self, forKey: .action))
    }
    step = try members.decodeIfPresent(String.self, forKey: .step)
    params = try members.decodeIfPresent([String: Value].self, forKey: .params)
  }
}

extension Acceptance: Decodable {
  private enum CodingKeys: String, CodingKey { case steps, primitives, guarded, facts }

  /// Reads an acceptance. `guarded` and `facts` are empty if they are missing.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      steps: try members.decode([AcceptedStep].self, forKey: .steps), primitives: try members.decode([String].self, forKey: .primitives),
      guarded: try members.decodeIfPresent([String].self, forKey: .guarded) ?? [],
      facts: try members.decodeIfPresent([String: String].self, forKey: .facts) ?? [:])
  }
}

extension Acceptance.AcceptedStep: Decodable {
  private enum CodingKeys: String, CodingKey { case step, params }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(step: try members.decode(String.self, forKey: .step), params: try members.decode([String: String].self, forKey: .params))
  }
}
