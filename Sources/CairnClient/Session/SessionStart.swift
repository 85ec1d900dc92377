import CairnAPI
public import CairnCore

/// The parameters of a new session, except its app.
public struct SessionStart: Sendable {
  /// The access token of a returning user.
  public var accessToken: String?
  /// A label by which an operator finds the session.
  public var label: String?
  /// The link or notification of a cold start.
  public var arrival: Arrival?
  /// Initial facts. An operator may set any fact; a client may set only the facts that the definition declares with `by: client`.
  public var facts: [String: Value] = [:]
  /// Environment variables that replace the service's variables for this session. Only an operator may set them.
  public var environment: [String: String] = [:]
  /// Whether the session's clock is manual: it advances only by the action `advance`.
  public var hasManualClock = false
  /// The time at which a manual clock starts, in milliseconds since 1970; `nil` for the current time. With a time, the clock is manual.
  public var clockStart: Int?
  /// Whether the caller completes the session's requests instead of the service. Only an operator may set it.
  public var hasManualRequests = false

  public enum Arrival: Sendable {
    case link(String)
    case notification(Value)
  }

  public init(accessToken: String? = nil, label: String? = nil, arrival: Arrival? = nil) {
    self.accessToken = accessToken
    self.label = label
    self.arrival = arrival
  }

  /// The body of the request that starts a session of `app`.
  func body(app: String) -> Value {
    var body: [String: Value] = ["app": .string(app)]
    body["accessToken"] = accessToken.map(Value.string)
    body["label"] = label.map(Value.string)
    switch arrival {
    case .link(let url)?: body["open"] = .string(url)
    case .notification(let payload)?: body["notification"] = payload
    case nil: break
    }
    if !facts.isEmpty { body["facts"] = .object(facts) }
    if !environment.isEmpty { body["environment"] = .object(environment.mapValues(Value.string)) }
    if hasManualClock { body["clock"] = "manual" }
    if let clockStart { body["clock"] = .string(Timestamp.text(clockStart)) }
    if hasManualRequests { body["requests"] = "manual" }
    return .object(body)
  }
}
