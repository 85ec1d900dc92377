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
  /// The time, in milliseconds since 1970, at which the session expires unless it changes before; `nil` if it never expires.
  package var expiresAt: Int?
  package var state: State
  package var reducer: Reducer
  /// The session's secret, in the response to its creation; otherwise `nil`.
  package var secret: String?
  /// The response to the link or notification of a cold start; `nil` if there was none.
  package var opened: OpenedBody?
  /// The predictions of the next actions; `nil` if the client did not ask for them.
  package var predictions: [PredictionBody]?
  /// The part for an engine in the client; `nil` if the client did not ask for it.
  package var replica: ReplicaBody?

  /// Times are milliseconds since 1970.
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
    writer.member("accepts", reducer.accepts(state))
    writer.member("app", app)
    writer.member("clock", state.manualTime == nil ? "system" : "manual")
    writer.member("createdAt", Timestamp(createdAt))
    writer.member("definition", definition)
    writer.member("expiresAt", ifPresent: expiresAt.map(Timestamp.init))
    writer.member("facts", reducer.shownFacts(of: state))
    writer.member("id", id)
    writer.member("label", ifPresent: label)
    writer.member("login", state.login)
    writer.member("now", ifPresent: state.manualTime.map(Timestamp.init))
    writer.member("opened", ifPresent: opened)
    writer.member("pending", PendingBody.all(of: state))
    writer.member("predictions", ifPresent: predictions)
    writer.member("replica", ifPresent: replica)
    writer.member("revision", state.revision)
    writer.member("secret", ifPresent: secret)
    writer.member("updatedAt", Timestamp(updatedAt))
    reducer.writeView(of: state, to: &writer)
    writer.endObject()
  }

  /// Writes only these members, and the predictions, into an open object.
  func write(_ members: SessionMembers, to writer: inout JSONWriter) {
    if members.contains(.accepts) { writer.member("accepts", reducer.accepts(state)) }
    if members.contains(.definition) { writer.member("definition", definition) }
    if members.contains(.expiresAt) { writer.member("expiresAt", ifPresent: expiresAt.map(Timestamp.init)) }
    if members.contains(.facts) { writer.member("facts", reducer.shownFacts(of: state)) }
    if members.contains(.login) { writer.member("login", state.login) }
    if members.contains(.now) { writer.member("now", ifPresent: state.manualTime.map(Timestamp.init)) }
    if members.contains(.pending) { writer.member("pending", PendingBody.all(of: state)) }
    writer.member("predictions", ifPresent: predictions)
    if members.contains(.updatedAt) { writer.member("updatedAt", Timestamp(updatedAt)) }
  }

  /// Writes the session as an element of the list.
  func writeInShort(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("createdAt", Timestamp(createdAt))
    writer.member("definition", definition)
    writer.member("expiresAt", ifPresent: expiresAt.map(Timestamp.init))
    writer.member("id", id)
    writer.member("label", ifPresent: label)
    writer.member("revision", state.revision)
    writer.member("updatedAt", Timestamp(updatedAt))
    writer.member("visible", ifPresent: reducer.visible(in: state))
    writer.endObject()
  }
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
