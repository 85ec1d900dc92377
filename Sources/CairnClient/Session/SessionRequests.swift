import CairnCore

/// The requests to one session's resource, with its secret.
struct SessionRequests: Sendable {
  let wire: Wire
  /// The path of the session's resource.
  let path: String
  private let secret: String
  /// The queue of posts, shared by all copies of the session's client.
  private let outbox: Outbox

  init(wire: Wire, id: String, secret: String) {
    self.wire = wire
    self.secret = secret
    path = "/v1/sessions/\(id.segment)"
    outbox = Outbox(wire: wire)
  }

  /// Sends a GET for a path or query below the session's path.
  func get(_ rest: String) async throws(ClientError) -> Wire.Answer {
    try await wire.send(Wire.Call("GET", path + rest, credential: secret))
  }

  /// Posts to a path below the session's path, with a new idempotency key unless the post is a plan or is sent together with other posts.
  /// If `ifRevision` is given, the service refuses the post unless the session is at this revision.
  func post(
    _ rest: String, _ body: Value, _ parameters: [(String, String?)] = [], isPlan: Bool = false, ifRevision: Int? = nil
  ) async throws(ClientError) -> Wire.Answer {
    let query = Query(parameters + [("plan", isPlan ? "" : nil)])
    var call = try Wire.Call("POST", path + rest + query.text, json: body, credential: secret)
    if isPlan { return try await wire.send(call) }
    call.headers["Idempotency-Key"] = CairnClient.idempotencyKey()
    if let ifRevision { call.headers["If-Match"] = "\"\(ifRevision)\"" }
    var action: Value?
    if case .object = body, rest == "/actions", ifRevision == nil { action = body }
    return try await outbox.send(Post(request: call, action: action))
  }
}
