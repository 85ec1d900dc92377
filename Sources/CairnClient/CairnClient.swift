import CairnAPI
import CairnCore
public import Foundation

/// A running service, as a client knows it.
///
/// It may be copied and used by any number of tasks; its connections are shared.
public struct CairnClient: Sendable {
  /// How requests get there.
  package let wire: Wire
  /// The operator's key.
  package let key: String?

  /// `url`: like `http://127.0.0.1:8080`, with a path where a proxy puts the service below one. `key`: the operator's, of whom has one.
  public init(url: URL, key: String? = nil, retry: RetryPolicy = RetryPolicy()) {
    let text = url.absoluteString
    wire = Wire(base: text.hasSuffix("/") ? String(text.dropLast()) : text, retry: retry)
    self.key = key
  }

  /// Its address, without a slash at its end.
  public var address: String { wire.base }

  /// Starts a session of an app.
  public func start(app: String, _ start: SessionStart = SessionStart()) async throws(ClientError) -> SessionClient {
    var call = try Wire.Call("POST", "/v1/sessions", json: start.body(app: app), credential: key)
    call.headers["Idempotency-Key"] = Self.idempotencyKey()
    let created = try await wire.send(call).read(as: SessionView.self)
    guard let secret = created.secret else { throw .malformed("a session without a secret") }
    let session = SessionClient(wire: wire, id: created.id, secret: secret, created: created)
    session.seen.note(created.revision, created.visible, created.tree)
    return session
  }

  /// A session that was started before. Nothing is asked yet. `secret`: the session's own, or the operator's key.
  public func connect(id: String, secret: String) -> SessionClient { SessionClient(wire: wire, id: id, secret: secret, created: nil) }

  /// A random key that has not been used before.
  static func idempotencyKey() -> String { "\"\(UUID().uuidString.lowercased())\"" }
}
