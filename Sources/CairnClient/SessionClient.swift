import CairnCore
import Foundation

/// A client of one session. It can be copied and used by any number of tasks. Each action is performed once, in the order of the calls.
/// Actions that are posted while a request is in progress are sent together in the next request.
public struct SessionClient: Sendable {
  public let id: String
  /// The session's secret, or the operator key that was passed to `connect`. A holder of this credential can control the session.
  public let secret: String
  /// The response to the session's creation; `nil` if this client did not start the session.
  public let created: SessionView?
  /// The visible screen, shared by all copies of this client.
  let seen = SeenScreen()
  /// The requests of this session.
  let requests: SessionRequests

  init(wire: Wire, id: String, secret: String, created: SessionView?) {
    self.id = id
    self.secret = secret
    self.created = created
    requests = SessionRequests(wire: wire, id: id, secret: secret)
  }

  /// Returns the session's current state.
  public func session() async throws(ClientError) -> SessionView {
    let view: SessionView = try await requests.get("").read()
    seen.note(view.revision, view.visible, view.tree)
    return view
  }

  /// Returns the session's state at an earlier revision.
  public func session(at revision: Int) async throws(ClientError) -> SessionView {
    try await requests.get(Query([("revision", "\(revision)")]).text).read()
  }

  /// Ends the session and deletes it.
  public func end() async throws(ClientError) {
    let answer = try await requests.wire.exchange(Wire.Call("DELETE", requests.path, credential: secret))
    // If the first response was lost, the response to the retry is that the session does not exist.
    let wasEnded = answer.attempts > 1 && [401, 404].contains(answer.status)
    guard answer.status < 400 || wasEnded else { throw .refused(ServiceProblem(answer)) }
  }
}
