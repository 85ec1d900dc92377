package import CairnCore

/// An item that a session waits for: a question, a held link, a held action, a queued modal or overlay, or an effect.
package struct PendingBody: DescribedBody, Hashable, Sendable {
  package var kind: Kind
  package var question: QuestionID?
  /// The type of the action that a question has stopped, or of a held action; `nil` for other kinds. The name of a held step is in `step`.
  package var action: String?
  package var held: HeldID?
  /// The number of clients for which a held action waits; `nil` for other kinds.
  package var clients: Int?
  /// The reason why a question has stopped the action: a guard asks, or a tab's condition is false. `nil` for other kinds.
  package var reason: Reason?
  package var link: LinkID?
  package var url: String?
  package var until: Timestamp?
  package var node: NodeID?
  /// The key of a message; `nil` for other kinds.
  package var key: String?
  package var step: String?
  /// The name of the timer, of the queued screen or flow, or of the screen or flow whose guard asks; `nil` for other kinds.
  package var name: String?
  /// The level on which a queued modal will be presented; `nil` for other kinds.
  package var level: Int?
  /// The slot in which a queued overlay will be shown; `nil` for other kinds.
  package var slot: String?
  package var due: Timestamp?
  /// Whether the effect waits. A timer or load waits until its page is seen or visible again. A message waits for an earlier message or,
  /// after an import, for `retry`.
  package var waits = false
  /// The HTTP method of a load; `nil` for GET, for a load with `value`, and for other kinds.
  package var method: String?

  package enum Reason: String, JSONWritable, CaseIterable, Sendable { case guarded, requires }

  package enum Kind: String, JSONWritable, CaseIterable, Sendable {
    case question, link, action, modal, overlay, load, message, timer, token
  }

  /// Returns the question and its link, then the held links, then the held actions, then the queued modals
  /// and overlays, then the effects. Each group starts with the oldest.
  package static func all(of state: State) -> [PendingBody] {
    (state.question.map { all(of: $0, in: state) } ?? [])
      + state.pendingLinks.map { PendingBody(kind: .link, link: $0.id, url: SealedURL.shown($0.url), until: Timestamp($0.until)) }
      + state.heldActions.map(PendingBody.init) + state.waitingModals.map(PendingBody.init)
      + state.effects.map { PendingBody($0, in: state) }
  }

  /// Returns the question, followed by the link that the question has stopped, if any.
  private static func all(of question: Question, in state: State) -> [PendingBody] {
    var body = PendingBody(kind: .question)
    (body.question, body.node, body.action) = (question.id, question.node, question.action)
    body.name = state[question.node]?.name
    body.reason = question.isGate ? .requires : .guarded
    return [body] + (question.link.map { [PendingBody(kind: .link, link: $0, url: question.aim.url.map(SealedURL.shown))] } ?? [])
  }

  private init(_ held: HeldAction) {
    self.init(kind: .action, until: Timestamp(held.until))
    self.held = held.id
    action = held.action.kind.word
    if case .step(let sent, _) = held.action { step = sent.step }
    clients = held.clients.count
  }

  private init(_ modal: Node) {
    self.init(kind: modal.slot == nil ? .modal : .overlay)
    slot = modal.slot
    name = modal.name
    node = modal.id
    level = modal.level
  }

  private init(kind: Kind, link: LinkID? = nil, url: String? = nil, until: Timestamp? = nil) {
    self.kind = kind
    self.link = link
    self.url = url
    self.until = until
  }

  private init(_ effect: Effect, in state: State) {
    switch effect.work {
    case .exchange:
      self.init(kind: .token)
      return
    case .timer(let name, let step, _, _, _):
      self.init(kind: .timer)
      self.name = name
      if !effect.closes { self.step = step.step }
    case .value, .request: self.init(kind: .load)
    case .message(let message):
      self.init(kind: .message)
      key = message.key
      waits = effect.isIdle
      if !effect.isIdle { due = Timestamp(effect.due) }
      return
    }
    node = effect.owner
    waits = effect.isIdle || effect.isWaiting(in: state)
    if !effect.isIdle {
      due = Timestamp(effect.due)
      until = effect.deadline.map { Timestamp($0) }
    }
    if let method = effect.terms?.method, method != .get { self.method = method.word }
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.maybe("action", body?.action, "The type of the action that waits for the answer to the question, or that is held.")
    visitor.maybe(
      "clients", body?.clients, "Number of clients for which the held action still waits.", as: .whole(from: 0))
    visitor.maybe("due", body?.due)
    visitor.maybe("held", body?.held, "Id of a held action, for `cancel`.")
    visitor.maybe("key", body?.key, "Key of a message, for `retry`.")
    visitor.always("kind", body?.kind, as: .words(Kind.self))
    visitor.maybe("method", body?.method, "HTTP method of a load; missing for GET.", as: .words(["POST", "PUT", "DELETE"]))
    visitor.maybe("link", body?.link)
    visitor.maybe("level", body?.level, as: .whole(from: 1, to: 255))
    visitor.maybe("name", body?.name, "Name of the timer, of the queued screen or flow, or of the screen or flow whose guard asks.")
    visitor.maybe("node", body?.node)
    visitor.maybe("question", body?.question)
    visitor.maybe(
      "reason", body?.reason,
      "The reason why the action waits for an answer: `guarded` for a guard, `requires` for the condition of a tab.",
      as: .words(Reason.self))
    visitor.maybe("slot", body?.slot, "The slot in which a queued overlay will be shown.")
    visitor.maybe("step", body?.step, "The step that a timer or a held action sends.")
    visitor.maybe("until", body?.until)
    visitor.maybe("url", body?.url)
    visitor.maybe(
      "waits", body?.waits == true ? true : nil,
      "true for a timer or load that is paused until its page is seen or visible again, and for a message that is sent after an earlier one. "
        + "Also true for a message of an imported session, which is sent only after `retry` or a further call with its key."
    )
  }

  package static var about: String {
    "A question, a held link, a held action, a queued modal or overlay, a message, or an effect in progress."
  }
}
