public import CairnCore

/// The parameters of a new session, beside its app.
public struct SessionStart: Sendable {
  /// A returning user's.
  public var accessToken: String?
  /// A label by which an operator finds the session.
  public var label: String?
  /// The link or the notification of a cold start.
  public var arrival: Arrival?
  /// A client's those that the definition has `by: client`; an operator's any.
  public var facts: [String: Value] = [:]
  /// In the place of the service's own; an operator's to give.
  public var environment: [String: String] = [:]
  /// Its clock stands until it is advanced.
  public var hasManualClock = false
  /// Its requests are answered by hand; an operator's to ask for.
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

  /// The body of the post.
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
    if hasManualRequests { body["requests"] = "manual" }
    return .object(body)
  }
}
