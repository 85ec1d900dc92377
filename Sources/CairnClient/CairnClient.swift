import CairnAPI
import CairnCore
public import Foundation

/// A client of a running service.
///
/// It can be copied and used by any number of tasks. The copies share their connections.
public struct CairnClient: Sendable {
  /// Sends the requests. Copies of the client share this object and its connections.
  package let wire: Wire
  /// The operator key; `nil` if the caller has none.
  package let key: String?

  /// Creates a client. `url` is an address such as `http://127.0.0.1:8080`, including the path below which a proxy serves Cairn, if any.
  /// `key` is an operator key; `nil` if the caller has none.
  public init(url: URL, key: String? = nil, retry: RetryPolicy = RetryPolicy()) {
    let text = url.absoluteString
    wire = Wire(base: text.hasSuffix("/") ? String(text.dropLast()) : text, retry: retry)
    self.key = key
  }

  /// The service's address without a slash at its end.
  public var address: String { wire.base }

  /// Starts a session of an app, under a new idempotency key.
  public func start(app: String, _ start: SessionStart = SessionStart()) async throws(ClientError) -> SessionClient {
    var call = try Wire.Call("POST", "/v1/sessions", json: start.body(app: app), credential: key)
    call.headers["Idempotency-Key"] = Self.idempotencyKey()
    let created = try await wire.send(call).read(as: SessionView.self)
    guard let secret = created.secret else { throw .malformed("it has a session without a secret") }
    let session = SessionClient(wire: wire, id: created.id, secret: secret, created: created)
    session.seen.note(created.revision, created.visible, created.tree)
    return session
  }

  /// Creates a client of an existing session without sending a request. `secret` is the session's secret or an operator key.
  public func connect(id: String, secret: String) -> SessionClient { SessionClient(wire: wire, id: id, secret: secret, created: nil) }

  /// A new random idempotency key, in quotes as the header requires.
  static func idempotencyKey() -> String { "\"\(UUID().uuidString.lowercased())\"" }
}
