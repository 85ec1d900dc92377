import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Responses for engines in clients: a session's state, and the difference that each entry makes.
extension Service {
  /// Responds with the state of a session. `client` is a client that numbers its actions, and learns which of them the state contains.
  func showReplica(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let client = query.read(Query.client)
    try query.end()
    withSession(call) { session, _ throws(Rejection) in
      try self.requirePredictable(session)
      var headers = Self.tag(session.tag)
      headers.add("Cache-Control", "no-store")
      self.addEngine(to: &headers, for: session)
      call.answer(headers: headers, LazyBody { self.replica(of: session, client: client) })
    }
  }

  /// Throws if clients do not get this session's definition and state.
  func requirePredictable(_ session: Session) throws(Rejection) {
    guard settings.predictable.contains(session.app) else {
      throw Rejection(.notPredictable, "clients predict nothing in this app: the setting predict does not list it")
    }
  }

  /// Adds the path of the engine, if one is served and the session's app is listed in the setting predict.
  func addEngine(to headers: inout Headers, for session: Session) {
    if let engine = settings.engine, settings.predictable.contains(session.app) { headers.add("Cairn-Engine", engine.path) }
  }

  /// The state of a session without what clients must not have.
  func replica(of session: Session, client: String? = nil) -> ReplicaBody {
    let reducer = session.definition.reducer
    let last = client.flatMap { client in session.state.clients.first { $0.client == client }?.number }
    // A state is always readable, because the service has just written it.
    let state = (try? ReplicaFormat.state(session.state, by: reducer)) ?? Array("{}".utf8)
    return .whole(
      ReplicaBody.Whole(
        definition: session.definition.hash, revision: session.state.revision, last: last, state: state,
        withheld: reducer.definition.withheldNames(hasEnvironment: !session.state.environment.isEmpty)))
  }

  /// The preferences of a request for a session of an app.
  func preferences(of call: Call, app: String) -> Preferences { allowed(Preferences(call.request.headers), app) }

  /// The preferences that apply to an app. The preference `replica` is only for apps that the setting predict lists.
  func allowed(_ preferences: Preferences, _ app: String) -> Preferences {
    guard preferences.wantsReplica, !settings.predictable.contains(app) else { return preferences }
    var preferences = preferences
    preferences.wantsReplica = false
    return preferences
  }

  /// The form of a post to a session. `url` is the JSON pointer to the link in the body.
  func style(of call: Call, on session: Session, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") -> PostStyle {
    PostStyle(
      preferences(of: call, app: session.app), sessionTTL: settings.sessionTTL, isArray: isArray, isPlan: isPlan, url: url)
  }
}

extension ReplicaBody {
  /// The difference of an entry as clients may have it. `reducer` belongs to the definition of the state after it. `nil` without a difference.
  init?(_ difference: [UInt8]?, by reducer: Reducer) {
    guard let difference, let written = try? ReplicaFormat.difference(difference, by: reducer) else { return nil }
    self = .difference(written)
  }
}
