import CairnAPI
import CairnCore
package import CairnHTTP
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

  func exportSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try requireOperator(call, for: "exporting a session")
    let request = try body(of: call) { body throws(BodyFault) in try ExportRequest(body) }
    let crypto = SessionFile.Crypto(key: try request.key.map { text throws(Rejection) in try Self.fileKey(text, pointer: "#/key") })
    withSession(call) { session, _ throws(Rejection) in
      self.store.export(session.id, file: Identity.fileID(), limit: self.settings.sessionFile, crypto, while: call.isWanted) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let file):
          var headers = Headers()
          headers.add("Content-Type", SessionFile.mediaType)
          headers.add("Content-Disposition", "attachment; filename=\"\(session.id).jsonl\"")
          call.answer(Response(status: 200, headers: headers, body: file), result: "exported")
        }
      }
    }
  }

  func importSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let label = query.read(Query.newLabel)
    try query.end()
    try requireOperator(call, for: "importing a session")
    if let label, let fault = CreationRequest.fault(ofLabel: label) {
      throw Rejection(.invalid, "label \(fault)", errors: [.init(fault, parameter: "label")])
    }
    let identity = try identity(of: call)
    guard MediaType.isSessionFile(call.request.headers) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be \(SessionFile.mediaType), not compressed", headers: ["Accept-Post": SessionFile.mediaType])
    }
    let key = try call.request.headers["Session-File-Key"].map { text throws(Rejection) in try Self.fileKey(text, pointer: nil) }
    store.read(
      call.request.body, SessionFile.Crypto(key: key), id: identity.id, secretHash: Identity.hash(identity.secret), label: label,
      origin: call.origin, through: publisher.door, while: call.isWanted
    ) { result in
      switch result {
      case .failure(let fault): call.reject(self.rejection(fault))
      case .success(let imported):
        self.publisher.noteImport(imported, request: call.requestID, by: call.operatorName ?? "")
        let new = NewSession(imported, origin: call.origin)
        self.start(new, print: identity.print, secret: identity.secret, result: "imported", call)
      }
    }
  }

  private static func fileKey(_ text: String, pointer: String?) throws(Rejection) -> [UInt8] {
    if let key = SessionFile.Crypto.key(text) { return key }
    let detail = "must be base64 of 32 bytes"
    guard let pointer else { throw Rejection(.badRequest, "Session-File-Key \(detail)") }
    throw Rejection(.invalid, "key \(detail)", errors: [.init(detail, pointer: pointer)])
  }

  /// Whether a request may have a body of `Settings.sessionFile` bytes: the import of a session by an operator. A wrong key counts like any other.
  /// Called before the body is read, on the connection's thread.
  package func allowsLongBody(_ request: Request) -> Bool {
    guard request.method == "POST", request.path == ["v1", "sessions", "import"] else { return false }
    let (peer, proxies) = (request.remoteAddress, limiter.proxies)
    let address = proxies.isEmpty ? peer : proxies.client(of: peer, request.headers).address
    guard limiter.mayTry(from: address) else { return false }
    if settings.operators.principal(of: Credentials(request.headers)) != nil { return true }
    try? limiter.failure(from: address, of: nil)
    return false
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
