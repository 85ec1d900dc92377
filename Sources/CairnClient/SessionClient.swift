import CairnCore
import Foundation

/// One session, driven over HTTP.
///
/// It can be copied and used by any number of tasks. Each action is performed once, in the order of the responses.
public struct SessionClient: Sendable {
  let wire: Wire
  public let id: String
  /// The session's secret. It authenticates every holder.
  public let secret: String
  /// The answer to its creation, where this client started it.
  public let created: SessionView?
  /// Shared by all copies.
  let seen = SeenScreen()

  /// The session as it is now.
  public func session() async throws(ClientError) -> SessionView {
    let view: SessionView = try await get("").read()
    seen.note(view.revision, view.visible, view.tree)
    return view
  }

  /// The session as it was.
  public func session(at revision: Int) async throws(ClientError) -> SessionView {
    try await get(Query([("revision", "\(revision)")]).text).read()
  }

  /// Ends the session: nothing of it is left.
  public func end() async throws(ClientError) {
    let answer = try await wire.exchange(Wire.Call("DELETE", path, credential: secret))
    // Where the first answer was lost, the second says that there is no such session.
    let wasEnded = answer.attempts > 1 && [401, 404].contains(answer.status)
    guard answer.status < 400 || wasEnded else { throw .refused(ServiceProblem(answer)) }
  }

  /// Where it is found.
  var path: String { "/v1/sessions/\(id.segment)" }

  /// Reads something below it.
  func get(_ rest: String) async throws(ClientError) -> Wire.Answer {
    try await wire.send(Wire.Call("GET", path + rest, credential: secret))
  }

  /// Posts something below it, under a key of its own; a plan without one. `ifRevision`: refused unless the session is at this one.
  func post(
    _ rest: String, _ body: Value, _ parameters: [(String, String?)] = [], isPlan: Bool = false, ifRevision: Int? = nil
  ) async throws(ClientError) -> Wire.Answer {
    let query = Query(parameters + [("plan", isPlan ? "" : nil)])
    var call = try Wire.Call("POST", path + rest + query.text, json: body, credential: secret)
    if !isPlan { call.headers["Idempotency-Key"] = CairnClient.idempotencyKey() }
    if let ifRevision { call.headers["If-Match"] = "\"\(ifRevision)\"" }
    return try await wire.send(call)
  }
}
