import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// The parts of responses that describe a session: its body, the additions for clients that predict actions, and its headers. Thread-safe.
final class SessionResponses: Sendable {
  private let store: Store
  private let predictable: PredictableApps
  private let engine: EngineFile?
  /// The time, in milliseconds, after which an unchanged session expires, unless its definition sets another time. If `nil`, a session
  /// expires only if its definition sets a time.
  private let sessionTTL: Int?

  init(_ store: Store, _ settings: Settings) {
    self.store = store
    predictable = settings.predictable
    engine = settings.engine
    sessionTTL = settings.sessionTTL
  }

  /// Creates the response's body for a session.
  func body(of session: Session) -> SessionBody { SessionBody(session, sessionTTL: sessionTTL) }

  /// Returns the JSON of a session. The form without indentation is encoded only once per revision.
  func bytes(of session: Session, pretty: Bool = false) throws -> [UInt8] {
    if pretty { return try JSONText.bytes(body(of: session), pretty: true) }
    return try session.rendering.bytes { try JSONText.bytes(self.body(of: session)) }
  }

  /// Returns the JSON of a session with an addition. For predictions, the function must run on a reader's thread, because it computes them.
  func bytes(of session: Session, with addition: Addition, pretty: Bool = false) throws -> [UInt8] {
    func bytes(pretty: Bool) throws -> [UInt8] {
      var body = body(of: session)
      add(addition, addition == .predictions ? predictions(from: .session(session)) : nil, to: &body, of: session)
      return try JSONText.bytes(body, pretty: pretty)
    }
    guard addition == .predictions, !pretty else { return try bytes(pretty: pretty) }
    return try session.predictedRendering.bytes { try bytes(pretty: false) }
  }

  /// Adds the members for clients that predict actions.
  func add(_ addition: Addition?, _ predictions: [PredictionBody]?, to body: inout SessionBody, of session: Session) {
    switch addition {
    case .predictions: body.predictions = predictions
    case .replica: body.replica = replica(of: session)
    case nil: break
    }
  }

  /// The predictions of the actions that a client may post next. Actions that would be refused are omitted. Runs on a reader's thread.
  func predictions(from basis: PredictionBasis) -> [PredictionBody] {
    store.predictions(from: basis).compactMap { prediction in
      guard case .success(let transition) = prediction.result else { return nil }
      return PredictionBody(prediction.action.map { .action($0) }, .performed(transition))
    }
  }

  /// Calls `next` with the predictions for a session after a post. Calls it with `nil` if the client did not ask for predictions, or if too
  /// many requests wait for the readers. The predictions are computed on a reader's thread, because the thread that serves connections must
  /// not wait for them.
  func withPredictions(
    of session: Session, _ style: PostStyle, _ call: Call, _ next: @escaping @Sendable ([PredictionBody]?) -> Void
  ) {
    withPredictions(of: session, style.preferences.addition, call, next)
  }

  /// Calls `next` with the predictions if `addition` requires them, otherwise with `nil`.
  func withPredictions(
    of session: Session, _ addition: Addition?, _ call: Call, _ next: @escaping @Sendable ([PredictionBody]?) -> Void
  ) {
    guard addition == .predictions else { return next(nil) }
    store.compute(session.id, while: call.isWanted) {
      self.predictions(from: .session(session))
    } reply: {
      next(try? $0.get())
    }
  }

  /// Encodes the event with the whole session; `nil` if the session contains a number that JSON cannot represent.
  func resetEvent(_ session: Session, with addition: Addition?) -> [UInt8]? {
    guard let json = try? addition.map({ try bytes(of: session, with: $0) }) ?? bytes(of: session) else { return nil }
    return EventText.bytes("reset", id: session.tag.description, json: json)
  }

  /// Throws unless the setting `predict` lists the session's app.
  func requirePredictable(_ session: Session) throws(Rejection) {
    guard predictable.contains(session.app) else {
      throw Rejection(.notPredictable, "clients cannot predict actions of this app, because the setting predict does not list it")
    }
  }

  /// Adds the path of the engine, if the service has one, and the key for sealed values, if the app has secrets. Adds neither unless the setting
  /// `predict` lists the session's app.
  func addEngine(to headers: inout Headers, for session: Session) {
    guard predictable.contains(session.app) else { return }
    if let engine { headers.add("Cairn-Engine", engine.path) }
    if session.definition.reducer.hasSecretParams { headers.add("Cairn-Sealing-Key", store.sealingKey) }
  }

  /// The state of a session for an engine in a client, without the values that clients must not read.
  func replica(of session: Session, client: String? = nil) -> ReplicaBody {
    let reducer = session.definition.reducer
    let last = client.flatMap { client in session.state.clients.first { $0.client == client }?.number }
    // The state can always be decoded, because this service has encoded it.
    let state = (try? ReplicaFormat.state(session.state, by: reducer)) ?? Array("{}".utf8)
    return .whole(
      ReplicaBody.Whole(
        definition: session.definition.hash, revision: session.state.revision, last: last, state: state,
        withheld: reducer.definition.withheldNames(hasEnvironment: !session.state.environment.isEmpty)))
  }

  /// Returns the preferences of a request for a session of an app.
  func preferences(of call: Call, app: String) -> Preferences { allowed(Preferences(call.request.headers), app) }

  /// The preferences that apply to an app. The preference `replica` is ignored unless the setting `predict` lists the app.
  func allowed(_ preferences: Preferences, _ app: String) -> Preferences {
    guard preferences.wantsReplica, !predictable.contains(app) else { return preferences }
    var preferences = preferences
    preferences.wantsReplica = false
    return preferences
  }

  /// The properties of a post that determine its response. `url` is the JSON pointer to the link in the body.
  func style(of call: Call, on session: Session, isArray: Bool = false, isPlan: Bool = false, url: String = "/url") -> PostStyle {
    PostStyle(
      preferences(of: call, app: session.app), sessionTTL: sessionTTL, isArray: isArray, isPlan: isPlan, url: url)
  }
}

extension ReplicaBody {
  /// Creates the difference of an entry without the values that clients must not read. `reducer` belongs to the definition of the state
  /// after the entry. Returns `nil` if `difference` is `nil` or cannot be decoded.
  init?(_ difference: [UInt8]?, by reducer: Reducer) {
    guard let difference, let written = try? ReplicaFormat.difference(difference, by: reducer) else { return nil }
    self = .difference(written)
  }
}

extension SessionBody {
  /// Creates the body for a session. `sessionTTL` is the time to live in milliseconds that applies if the definition sets no time to live.
  init(_ session: Session, sessionTTL: Int?) {
    self.init(
      id: session.id, app: session.app, definition: session.definition.hash, label: session.label, createdAt: session.createdAt,
      updatedAt: session.updatedAt, state: session.state, reducer: session.definition.reducer)
    expiresAt = session.expiresAt(sessionTTL)
  }
}
