package import CairnCore

/// A session in the response of `GET /v1/sessions/{id}`, and in the list.
package struct SessionBody: JSONWritable, Sendable {
  package var id: String
  package var app: String
  /// The hash of the definition that the session is pinned to.
  package var definition: String
  package var label: String?
  /// The time of creation, in milliseconds since 1970. `updatedAt` has the same unit.
  package var createdAt: Int
  package var updatedAt: Int
  /// The time, in milliseconds since 1970, at which the session expires unless it changes earlier; `nil` if the session never expires.
  package var expiresAt: Int?
  package var state: State
  package var reducer: Reducer
  /// The session's secret, in the response to its creation; otherwise `nil`.
  package var secret: String?
  /// The response to the link or notification of a cold start; `nil` if the session began without a link or notification.
  package var opened: OpenedBody?
  /// The predictions of the next actions; `nil` if the client did not ask for predictions.
  package var predictions: [PredictionBody]?
  /// The data for an engine in the client; `nil` if the client did not ask for this data.
  package var replica: ReplicaBody?

  /// Creates the body without the optional members, which the caller sets. The times are in milliseconds since 1970.
  package init(
    id: String, app: String, definition: String, label: String?, createdAt: Int, updatedAt: Int, state: State, reducer: Reducer
  ) {
    self.id = id
    self.app = app
    self.definition = definition
    self.label = label
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.state = state
    self.reducer = reducer
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    Self.visit(.started, of: self, &writer)
    reducer.writeView(of: state, to: &writer)
    writer.endObject()
  }

  /// Writes the given members and the predictions into an open object.
  func write(_ members: SessionMembers, to writer: inout JSONWriter) {
    Self.visit(members.union(.predictions), of: self, &writer)
  }

  /// Writes the session as an element of the list.
  func writeInShort(to writer: inout JSONWriter) {
    writer.beginObject()
    Self.visit(.short, of: self, &writer)
    writer.endObject()
  }

  /// Visits the given members in the order of writing. `body` is `nil` if only the schemas are needed. The view is written separately, because
  /// responses to posts contain it too.
  @inline(__always)
  static func visit(_ members: SessionMembers, of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    if members.contains(.accepts) { visitor.always("accepts", body.map { $0.reducer.accepts($0.state) }, as: .shared(.acceptance)) }
    if members.contains(.app) { visitor.always("app", body?.app) }
    if members.contains(.clock) {
      visitor.always("clock", body.map { $0.state.manualTime == nil ? "system" : "manual" }, as: .words(CreationRequest.ClockKind.self))
    }
    if members.contains(.createdAt) { visitor.always("createdAt", (body?.createdAt).map(Timestamp.init)) }
    if members.contains(.definition) { visitor.always("definition", body?.definition, "The hash of the session's definition.") }
    if members.contains(.expiresAt) {
      visitor.maybe(
        "expiresAt", (body?.expiresAt).map(Timestamp.init),
        "The time at which the session expires, unless it changes before then; missing if it never expires.")
    }
    if members.contains(.facts) { visitor.always("facts", body.map { $0.reducer.shownFacts(of: $0.state) }, as: .shared(.facts)) }
    if members.contains(.id) { visitor.always("id", body?.id, as: .shared(.sessionID)) }
    if members.contains(.label) { visitor.maybe("label", body?.label) }
    if members.contains(.login) { visitor.always("login", body?.state.login, as: .shared(.login)) }
    if members.contains(.now) {
      visitor.maybe(
        "now", (body?.state.manualTime).map(Timestamp.init),
        "The current time of the session's manual clock; missing if the session uses the system's clock.")
    }
    if members.contains(.opened) {
      visitor.maybe(
        "opened", body?.opened,
        "The response to the link or notification in the request. The session starts even if the link or notification is refused.",
        as: Schema(["anyOf": [Component.performed.reference.value, Component.problem.reference.value]]))
    }
    if members.contains(.pending) {
      visitor.always(
        "pending", body.map { PendingBody.all(of: $0.state) },
        "The questions, held links, held actions, queued modals and overlays, messages, and effects in progress.",
        as: .list(of: .shared(.pending)))
    }
    if members.contains(.predictions) { visitor.maybe("predictions", body?.predictions, as: PredictionBody.included.schema) }
    if members.contains(.replica) { visitor.maybe("replica", body?.replica, as: ReplicaBody.ofSession.schema) }
    if members.contains(.revision) { visitor.always("revision", body?.state.revision, as: .shared(.revision)) }
    if members.contains(.secret) {
      visitor.always(
        "secret", body?.secret, "The session's secret, a credential for this session. Only this response contains it.",
        as: .text(like: "^cs_[A-Za-z0-9_-]{43}$"))
    }
    if members.contains(.updatedAt) { visitor.always("updatedAt", (body?.updatedAt).map(Timestamp.init)) }
    if members.contains(.visible) { visitor.maybe("visible", body.flatMap { $0.reducer.visible(in: $0.state) }, as: .shared(.route)) }
  }
}

/// A set of members of a session.
package struct SessionMembers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  // The members that a post can change. A client can request them in the response to a post, which already has the view and the revision.
  package static let accepts = SessionMembers(rawValue: 1 << 0)
  package static let definition = SessionMembers(rawValue: 1 << 1)
  package static let expiresAt = SessionMembers(rawValue: 1 << 2)
  package static let facts = SessionMembers(rawValue: 1 << 3)
  package static let login = SessionMembers(rawValue: 1 << 4)
  package static let now = SessionMembers(rawValue: 1 << 5)
  package static let pending = SessionMembers(rawValue: 1 << 6)
  package static let updatedAt = SessionMembers(rawValue: 1 << 7)
  static let predictions = SessionMembers(rawValue: 1 << 8)
  static let replica = SessionMembers(rawValue: 1 << 9)

  static let app = SessionMembers(rawValue: 1 << 10)
  static let clock = SessionMembers(rawValue: 1 << 11)
  static let createdAt = SessionMembers(rawValue: 1 << 12)
  static let id = SessionMembers(rawValue: 1 << 13)
  static let label = SessionMembers(rawValue: 1 << 14)
  static let revision = SessionMembers(rawValue: 1 << 15)
  // Members that only the response to the creation of a session has.
  static let opened = SessionMembers(rawValue: 1 << 16)
  static let secret = SessionMembers(rawValue: 1 << 17)
  /// The visible route, only in the list; other responses have it in the view.
  static let visible = SessionMembers(rawValue: 1 << 18)

  /// The members of a session in the list.
  static let short: SessionMembers = [.app, .createdAt, .definition, .expiresAt, .id, .label, .revision, .updatedAt, .visible]
  /// The members of a session, except for the view.
  static let whole = SessionMembers(rawValue: 1 << 16 - 1)
  /// The members of a new session, except for the view.
  static let started: SessionMembers = [.whole, .opened, .secret]

  /// The names of the members that a client can ask for, in the order of writing.
  private static let names: [(text: String, lowercased: [UInt8], member: SessionMembers)] = [
    named("accepts", .accepts), named("definition", .definition), named("expiresAt", .expiresAt), named("facts", .facts),
    named("login", .login), named("now", .now), named("pending", .pending), named("updatedAt", .updatedAt),
  ]

  private static func named(_ name: String, _ member: SessionMembers) -> (text: String, lowercased: [UInt8], member: SessionMembers) {
    (name, Array(name.lowercased().utf8), member)
  }

  /// The members that a client can ask for.
  package static let askable = SessionMembers(names.map(\.member))

  /// The names of the members that a client can ask for, sorted.
  package static let allNames = names.map(\.text)

  /// Creates a set that contains the member with this name in lower case. The set is empty if clients cannot ask for a member of this name.
  package init(lowercased name: some Collection<UInt8>) {
    self = Self.names.first { $0.lowercased.elementsEqual(name) }?.member ?? []
  }

  /// The names of the members in this set that a client can ask for, sorted and separated by blanks.
  package var names: String { Self.names.filter { contains($0.member) }.map(\.text).joined(separator: " ") }
}

/// The response to the link or notification of a cold start. The session is created even if the link or notification is refused.
package enum OpenedBody: JSONWritable, Sendable {
  case performed(ActionBody)
  case refused(Problem)

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .performed(let body): body.write(to: &writer)
    case .refused(let problem): problem.write(to: &writer)
    }
  }
}
