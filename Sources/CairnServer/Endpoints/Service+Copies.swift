import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Endpoints that make a session of another one, or of a file. Only operators are authorized.
extension Service {
  func forkSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "forking a session")
    let request = try body(of: call) { body throws(BodyFault) in try ForkRequest(body) }
    let identity = try identity(of: call)
    withSession(call) { session, _ throws(Rejection) in
      self.store.session(session.id, at: request.revision ?? session.state.revision, while: call.isWanted) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let past):
          let state = past.definition.reducer.forked(past.state, at: past.updatedAt)
          let new = NewSession(
            id: identity.id, definition: past.definition, label: request.label, secretHash: Identity.hash(identity.secret),
            start: .state(state, .forked(session: past.id, revision: past.state.revision)), origin: call.origin)
          self.start(new, print: identity.print, secret: identity.secret, result: "forked", call)
        }
      }
    }
  }

  /// The id and the secret of the session that an operator's request creates. If the request has an idempotency key, they are derived from it,
  /// and `print` is the fingerprint of the request.
  func identity(of call: Call) throws(Rejection) -> (id: String, secret: String, print: Fingerprint?) {
    guard let key = try IdempotencyKey(call.request.headers) else { return (Identity.sessionID(), Identity.secret(), nil) }
    try key.requireSecrecy()
    let derived = derivation.session(key, by: .operator, call.request)
    return (derived.id, derived.secret, derived.print)
  }
}
