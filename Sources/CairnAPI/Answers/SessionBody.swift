package import CairnCore

/// A session as `GET /v1/sessions/{id}` shows it, and in the list.
package struct SessionBody: Encodable, Sendable {
  package var id: String
  package var app: String
  /// The hash of the definition that it is pinned to.
  package var definition: String
  package var label: String?
  package var clock: ClockKind
  /// The time of a manual clock.
  package var now: String?
  package var createdAt: String
  package var updatedAt: String
  package var revision: Int
  package var view: View
  package var facts: [String: Value]
  package var accepts: Acceptance
  package var pending: [PendingBody]
  package var login: Login
  /// Shown once, in the answer to its creation.
  package var secret: String?
  /// The answer to the link or notification of a cold start.
  package var opened: OpenedBody?

  package enum ClockKind: String, Encodable, Sendable { case system, manual }

  /// Times are milliseconds since 1970.
  package init(
    id: String, app: String, definition: String, label: String?, createdAt: Int, updatedAt: Int, state: State, reducer: Reducer
  ) {
    self.id = id
    self.app = app
    self.definition = definition
    self.label = label
    clock = state.manualTime == nil ? .system : .manual
    now = state.manualTime.map(Timestamp.text)
    self.createdAt = Timestamp.text(createdAt)
    self.updatedAt = Timestamp.text(updatedAt)
    revision = state.revision
    view = View(of: state, reducer)
    facts = state.facts
    facts[FactDefinition.accessToken] = .bool(state.facts[FactDefinition.accessToken] != nil)
    accepts = reducer.accepts(state)
    pending = PendingBody.all(of: state)
    login = state.login
  }

  private enum Key: String, CodingKey {
    case id, app, definition, label, clock, now, createdAt, updatedAt, revision, visible, stack, tree, facts, accepts, pending, login
    case secret, opened
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(id, forKey: .id)
    try members.encode(app, forKey: .app)
    try members.encode(definition, forKey: .definition)
    try members.encodeIfPresent(label, forKey: .label)
    try members.encode(clock, forKey: .clock)
    try members.encodeIfPresent(now, forKey: .now)
    try members.encode(createdAt, forKey: .createdAt)
    try members.encode(updatedAt, forKey: .updatedAt)
    try members.encode(revision, forKey: .revision)
    // Also when nothing is shown: a client finds `null`, not a missing member.
    try members.encode(view.visible, forKey: .visible)
    try members.encode(view.stack, forKey: .stack)
    try members.encode(view.tree, forKey: .tree)
    try members.encode(facts, forKey: .facts)
    try members.encode(accepts, forKey: .accepts)
    try members.encode(pending, forKey: .pending)
    try members.encode(login, forKey: .login)
    try members.encodeIfPresent(secret, forKey: .secret)
    try members.encodeIfPresent(opened, forKey: .opened)
  }
}

/// The answer to the arrival of a cold start: the creation never fails for it.
package enum OpenedBody: Encodable, Sendable {
  case performed(ActionBody)
  case refused(Problem)

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .performed(let body): try body.encode(to: encoder)
    case .refused(let problem): try problem.encode(to: encoder)
    }
  }
}
