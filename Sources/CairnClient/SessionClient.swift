import CairnCore
import Foundation

/// A client of one session. It can be copied and used by any number of tasks. Each action is performed once, in the order of the calls. Actions that wait for a
/// request are sent together in the next one.
public struct SessionClient: Sendable {
  let wire: Wire
  public let id: String
  /// The session's secret. It authenticates every holder.
  public let secret: String
  /// The response to the session's creation; `nil` if this client did not start the session.
  public let created: SessionView?
  /// The visible screen, shared by all copies of this client.
  let seen = SeenScreen()
  /// The posts, shared by all copies of this client.
  let outbox: Outbox

  init(wire: Wire, id: String, secret: String, created: SessionView?) {
    self.wire = wire
    self.id = id
    self.secret = secret
    self.created = created
    outbox = Outbox(wire: wire)
  }

  /// Returns the session's current state.
  public func session() async throws(ClientError) -> SessionView {
    let view: SessionView = try await get("").read()
    seen.note(view.revision, view.visible, view.tree)
    return view
  }

  /// Returns the session's state at an earlier revision.
  public func session(at revision: Int) async throws(ClientError) -> SessionView {
    try await get(Query([("revision", "\(revision)")]).text).read()
  }

  /// Ends the session and deletes it.
  public func end() async throws(ClientError) {
    let answer = try await wire.exchange(Wire.Call("DELETE", path, credential: secret))
    // If the first response was lost, the response to the retry is that the session does not exist.
    let wasEnded = answer.attempts > 1 && [401, 404].contains(answer.status)
    guard answer.status < 400 || wasEnded else { throw .refused(ServiceProblem(answer)) }
  }

  /// The path of the session's resource.
  var path: String { "/v1/sessions/\(id.segment)" }

  /// Sends a GET for a path or query below the session's path.
  func get(_ rest: String) async throws(ClientError) -> Wire.Answer {
    try await wire.send(Wire.Call("GET", path + rest, credential: secret))
  }

  /// Posts to a path below the session's path, with a new idempotency key unless the post is a plan or is sent together with others. If `ifRevision` is given,
  /// the service refuses the post unless the session is at this revision.
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
