import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// Endpoints that show, list and end sessions.
final class SessionEndpoints: Sendable {
  let store: Store
  let access: Access
  let responses: SessionResponses
  let limiter: RateLimiter
  let telemetry: Telemetry

  init(_ store: Store, _ access: Access, _ responses: SessionResponses, _ limiter: RateLimiter, _ telemetry: Telemetry) {
    self.store = store
    self.access = access
    self.responses = responses
    self.limiter = limiter
    self.telemetry = telemetry
  }

  func showSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let revision = query.read(Query.revision)
    let preferences = Preferences(call.request.headers)
    let poll = LongPoll(&query, preferences)
    try query.end()
    let credentials = Credentials(call.request.headers)
    // The most frequent request is answered without allocating a closure.
    if revision == nil, let session = try access.cachedSession(call, credentials) {
      return try show(session, call, poll, as: .session(responses.allowed(preferences, session.app).addition))
    }
    access.withSession(call, credentials) { session, _ throws(Rejection) in
      guard let revision else {
        return try self.show(session, call, poll, as: .session(self.responses.allowed(preferences, session.app).addition))
      }
      self.store.session(session.id, at: revision, while: call.isWanted) { result in
        do throws(Rejection) {
          try self.show(try result.mapError { call.rejection($0) }.get(), call, nil, as: .session(nil))
        } catch {
          call.reject(error)
        }
      }
    }
  }

  func showStack(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let poll = LongPoll(&query, Preferences(call.request.headers))
    try query.end()
    access.withSession(call) { session, _ throws(Rejection) in
      try self.show(session, call, poll, as: .stack)
    }
  }

  func deleteSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    access.withSession(call) { session, _ throws(Rejection) in
      self.store.delete(session.id, matching: try call.expectedRevisions()) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        case .success:
          self.limiter.ended(session.id)
          call.answer(Response(status: 204), result: "deleted")
        }
      }
    }
  }

  /// Responds with the state of a session for an engine in a client. `client` is the id under which a client numbers its actions. If it is
  /// given, the response contains the highest number among the client's actions in the state.
  func showReplica(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let client = query.read(Query.client)
    try query.end()
    access.withSession(call) { session, _ throws(Rejection) in
      try self.responses.requirePredictable(session)
      var headers = session.tag.headers()
      headers.add("Cache-Control", "no-store")
      self.responses.addEngine(to: &headers, for: session)
      call.answer(headers: headers, LazyBody { self.responses.replica(of: session, client: client) })
    }
  }
}
