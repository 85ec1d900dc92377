package import CairnCore

/// The behaviour of an engine as text, for the comparison with a recording.
package struct Trace {
  package private(set) var text = ""

  package init() {}

  /// The digest of the text so far.
  package var digest: String { Self.digest(of: text) }

  /// FNV-1a with 64 bits of a text, in hexadecimal.
  package static func digest(of text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }

  /// Adds the result of an action, and the resulting state in the forms for the client and the journal.
  package mutating func note(_ result: Result<Transition, Refusal>, _ state: State, _ reducer: Reducer) {
    switch result {
    case .failure(let refusal):
      line("refused", refusal.code.rawValue, refusal.detail, refusal.faults.map(Self.text).joined(separator: ";"))
    case .success(let transition):
      line("\(transition.outcome)", transition.reason ?? "")
      for event in transition.events { line("event", Self.text(event)) }
      for change in transition.changes { line("change", Self.text(change)) }
      line("started", transition.started.map { "\($0.id)" }.joined(separator: ","), "cancelled", "\(transition.cancelled)")
    }
    line("tree", Self.text(reducer.tree(of: state)))
    for route in reducer.routes(of: state) {
      line("route", "\(route.id)", route.screen, Self.text(route.params), route.flow ?? "", "\(route.presented ?? false)")
    }
    let accepted = reducer.accepts(state)
    line(
      "accepts", accepted.steps.map { "\($0.step) \($0.params.sorted { $0.key < $1.key })" }.joined(separator: ","),
      "\(accepted.primitives.filter { !Self.newer.contains($0) })")
    line("state", "\(state.revision)", "\(state.nextNode)", "\(state.nextEffect)", "\(state.tokenWrites)", "\(state.manualTime ?? -1)")
    line(
      "facts", Self.text(state.facts), "\(state.login.status)", state.login.reason ?? "",
      state.pendingLinks.map { "\($0.url) \($0.until)" }.joined(separator: " "))
    for effect in state.effects { line("effect", Self.text(effect)) }
    for listener in state.listeners { line("listener", "\(listener.node)", listener.screen, "\(listener.flow)") }
    for node in state.nodes.values.sorted(by: { $0.id < $1.id }) {
      line(
        "node", "\(node.id)", Self.text(node.owner), Self.text(node.parent), node.flow ?? "", "\(node.listen.hidden)",
        "\(node.listen.dismissed)",
        node.steps.removed?.step ?? "", node.authorization ?? "")
    }
  }

  /// A fault without the suggested name, which is a hint and not behaviour.
  private static func text(_ fault: Refusal.Fault) -> String {
    "\(fault.pointer) \(fault.detail.split(separator: "; did you mean", maxSplits: 1).first ?? "")"
  }

  /// Adds the parts that the first recordings do not contain: levels, nodes that wait for a level, results, collapsed splits, guarded
  /// nodes, and held links.
  package mutating func noteRest(of state: State, _ reducer: Reducer) {
    let accepted = reducer.accepts(state)
    line("accepts", "\(accepted.primitives)", "\(accepted.guarded)", "\(accepted.facts.sorted { $0.key < $1.key })")
    for overlay in reducer.tree(of: state).overlays ?? [] { line("overlay", overlay.slot ?? "", Self.text(overlay)) }
    for level in reducer.tree(of: state).levels ?? [] { line("level", "\(level.level ?? 0)", Self.text(level)) }
    if let question = state.question {
      line("question", "\(question.id)", "\(question.node)", "\(question.agreed)", "\(question.aim)", question.action)
    }
    for link in state.pendingLinks { line("link", "\(link.id)", link.url, "\(link.until)") }
    line("token", "\(state.refusedToken ?? 0)", "\(state.leftForeground ?? 0)", "\(state.nextLink)")
    for effect in state.effects { line("effect", "\(effect.id)", effect.to?.rawValue ?? "") }
    for node in state.nodes.values.sorted(by: { $0.id < $1.id }) {
      let resultReceiver = node.resultReceiver.map { "\($0.node) \($0.then?.step ?? "") \($0.otherwise?.step ?? "")" } ?? ""
      line(
        "node", "\(node.id)", "\(node.level ?? 0)", "\(node.waits)", "\(node.isCollapsed)", "\(node.isOpened)", resultReceiver,
        node.leave.map { $0.ask?.step ?? "none" } ?? "", node.steps.removed?.to?.rawValue ?? "", Self.text(node.content))
    }
  }

  /// Primitives that the engine of the recorded drives did not have.
  private static let newer: Set<String> = ["back", "cancel", "answer", "appState", "facts"]

  private mutating func line(_ words: String...) { text += words.joined(separator: " | ") + "\n" }

  private static func text(_ id: NodeID?) -> String { id.map { "\($0)" } ?? "-" }

  private static func text(_ effect: Effect) -> String {
    let work =
      switch effect.work {
      case .timer(let name, let step, let delay, let period, let ticks):
        "timer \(name ?? "") \(step.step) \(text(step.params)) \(delay) \(period ?? 0) \(ticks)"
      case .value(let value, let delay, let then, let otherwise):
        "value \(text(value)) \(delay) \(then?.step ?? "") \(otherwise?.step ?? "")"
      case .request(let url, let bearer, let delay, let then, let otherwise, let terms):
        "request \(url) \(bearer) \(delay) \(then?.step ?? "") \(otherwise?.step ?? "")\(terms.map { " \($0.method)" } ?? "")"
      case .exchange: "exchange"
      case .message(let message): "message \(message.key) \(message.url) \(message.then?.step ?? "") \(message.otherwise?.step ?? "")"
      }
    return "\(effect.id) \(text(effect.owner)) \(effect.start) \(effect.whileVisible) \(work)"
  }

  private static func text(_ event: Event) -> String {
    let texts = [event.flow, event.step, event.reason, event.url, event.category].map { $0 ?? "" }
    return "\(event.type) \(text(event.node)) \(texts.joined(separator: " ")) \(text(event.params))"
  }

  private static func text(_ change: Change) -> String {
    switch change {
    case .push(let id, let node): "push \(id) \(text(node))"
    case .pop(let id, let to): "pop \(id) \(to)"
    case .set(let id, let kind, let children): "set \(id)\(kind.map { " \($0)" } ?? "") \(children.map { text($0) })"
    case .replace(let old, let node): "replace \(old) \(text(node))"
    case .remove(let id): "remove \(id)"
    case .present(let id, let node): "present \(id) \(text(node))"
    case .dismiss(let id): "dismiss \(id)"
    case .overlay(let node): "overlay \(text(node))"
    case .select(let id, let index): "select \(id) \(index)"
    case .update(let id, let update):
      "update \(id) \(text(update.params)) \(text(update.content)) \(update.ended.map { "\($0)" } ?? "-")"
    }
  }

  private static func text(_ tree: Tree) -> String {
    var words: [String] = ["\(tree.id)", "\(tree.kind)", tree.name, tree.flow ?? "", text(tree.params)]
    words.append(tree.selected.map { "\($0)" } ?? "")
    words.append(tree.style.map { "\($0)" } ?? "")
    words.append(text(tree.on))
    words.append(text(tree.content))
    words.append(tree.isEnded ? "true" : "")
    words.append(tree.meta.map(text) ?? "")
    let children = tree.children.map { "[\($0.map { text($0) }.joined(separator: ", "))]" } ?? ""
    return "(\(words.joined(separator: " "))\(children)\(tree.presented.map { " ^ \(text($0))" } ?? ""))"
  }

  private static func text(_ content: Content?) -> String {
    content.map { "\($0.status) \($0.value.map(text) ?? "-") \($0.error ?? "")" } ?? "-"
  }

  private static func text(_ members: [String: Value]?) -> String { members.map { text(.object($0)) } ?? "-" }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ","))]"
    case .object(let members): "{\(members.sorted { $0.key < $1.key }.map { "\($0.key):\(text($0.value))" }.joined(separator: ","))}"
    case .sealed(let number): "secret \(number)"
    }
  }
}
