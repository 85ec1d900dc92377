// The secrets to which a state refers. The store keeps the texts of these secrets, and deletes the others.
extension State {
  /// The numbers of the secrets in the parts that differ from an earlier state, and the numbers to which nothing refers any longer. Content is
  /// searched only if `inContent` is set.
  package func secrets(since old: State, inContent: Bool = false) -> (present: Set<WideInt>, gone: Set<WideInt>) {
    var present = SecretNumbers(inContent: inContent)
    var past = SecretNumbers(inContent: inContent)
    NodeDifference.forEachReading(from: old.nodes, to: nodes) { node, earlier in
      if let node { present.add(node) }
      if let earlier { past.add(earlier) }
    }
    if !sharesRest(with: old) {
      for effect in effects { present.add(effect.work) }
      for effect in old.effects { past.add(effect.work) }
      present.add(question)
      past.add(old.question)
      for link in pendingLinks { present.add(url: link.url) }
      for link in old.pendingLinks { past.add(url: link.url) }
      present.addHeld(in: self)
      past.addHeld(in: old)
    }
    let missing = past.all.subtracting(present.all)
    // A node or effect that did not change may refer to a secret that was removed elsewhere.
    return (present.all, missing.isEmpty ? [] : missing.subtracting(SecretNumbers(of: self, inContent: inContent).all))
  }

  /// The numbers of all secrets to which the state refers. Takes time proportional to the size of the state.
  package var secrets: Set<WideInt> { SecretNumbers(of: self, inContent: true).all }
}

/// Collects the numbers of the secrets to which a state refers. Session facts are not searched, because they cannot refer to secrets.
private struct SecretNumbers {
  var all: Set<WideInt> = []
  /// Whether content may refer to secrets.
  let inContent: Bool

  init(inContent: Bool) { self.inContent = inContent }

  init(of state: State, inContent: Bool) {
    self.inContent = inContent
    NodeDifference.forEachReading(from: NodeTable(), to: state.nodes) { node, _ in if let node { add(node) } }
    for effect in state.effects { add(effect.work) }
    add(state.question)
    for link in state.pendingLinks { add(url: link.url) }
    addHeld(in: state)
  }

  mutating func add(_ node: NodeReading) {
    guard node.hasDetails else { return }
    add(node.params)
    add(node.facts)
    if inContent, let content = node.content?.value { all.formUnion(content.secrets) }
    for step in node.steps.all { add(step) }
    add(node.leave?.ask)
    add(node.resultReceiver?.then)
    add(node.resultReceiver?.otherwise)
  }

  mutating func add(_ work: Effect.Work) {
    switch work {
    case .timer(_, let step, _, _, _): add(step.params)
    case .value(_, _, let then, let otherwise):
      add(then)
      add(otherwise)
    case .request(_, _, _, let then, let otherwise, let terms):
      add(then)
      add(otherwise)
      if let terms { all.formUnion(terms.secrets) }
    case .message(let message):
      add(message.then)
      add(message.otherwise)
      all.formUnion(message.terms.secrets)
    case .exchange: break
    }
  }

  mutating func add(_ question: Question?) {
    switch question?.aim {
    case .handle(let step, _, _): add(step.params)
    case .send(_, let step): add(step)
    case .open(_, let url): add(url: url)
    case .keep, .remove, .select, .exit, nil: break
    }
  }

  mutating func add(url: String) {
    #if !CLIENT_ENGINE
      all.formUnion(SealedURL.numbers(in: url))
    #endif
  }

  mutating func addHeld(in state: State) {
    #if !CLIENT_ENGINE
      for held in state.heldActions { all.formUnion(held.secrets) }
    #endif
  }

  private mutating func add(_ params: [String: Value]) {
    for (_, value) in params { all.formUnion(value.secrets) }
  }

  private mutating func add(_ template: StepTemplate?) {
    guard let template else { return }
    for (_, expression) in template.with { if case .literal(let value) = expression { all.formUnion(value.secrets) } }
  }
}

extension Value {
  /// The numbers of the secrets in the value.
  var secrets: [WideInt] {
    switch self {
    case .sealed(let number): [number]
    case .array(let elements): elements.flatMap { $0.secrets }
    case .object(let members): members.flatMap { $0.value.secrets }
    case .null, .bool, .integer, .number, .string: []
    }
  }

  /// The value with each secret replaced by its text, which `text` returns by the secret's number; `nil` if a text is missing.
  package func opened<Failure: Error>(_ text: (WideInt) throws(Failure) -> String?) throws(Failure) -> Value? {
    switch self {
    case .sealed(let number): return try text(number).map { Value.string($0) }
    case .array(let elements):
      var opened: [Value] = []
      for element in elements {
        guard let value = try element.opened(text) else { return nil }
        opened.append(value)
      }
      return .array(opened)
    case .object(let members):
      var opened: [String: Value] = [:]
      for (name, member) in members {
        guard let value = try member.opened(text) else { return nil }
        opened[name] = value
      }
      return .object(opened)
    case .null, .bool, .integer, .number, .string: return self
    }
  }
}
