package import CairnCore

/// A request from the service to another host.
package enum OutboundCall: Hashable, Sendable {
  /// A load, whose response must be JSON.
  case load(LoadCall)
  /// The token request of RFC 6749 (4.1.3), in the format that the definition's `oauth` specifies.
  case exchange(OAuthDefinition, environment: [String: String], code: String, bearer: String?)

  /// A load with a plain GET.
  package static func get(url: String, bearer: String?) -> OutboundCall { .load(LoadCall(url: url, bearer: bearer)) }
}

/// How a call ended.
package enum OutboundResult: Hashable, Sendable {
  case json(Value)
  /// The access token. Must never be logged.
  case token(String)
  /// A stable code, then a colon and a text that contains no secret.
  case failed(String)
  /// A temporary failure, so that the call may be retried: the same text, and the milliseconds that the server asked to wait.
  case interrupted(String, wait: Int?)

  /// Whether the upstream could not be reached or did not respond in time.
  var isWithoutResponse: Bool {
    switch self {
    case .json, .token: false
    case .failed(let text), .interrupted(let text, _): [CallLimit.timeout, CallFailure.unreachable].contains(CallFailure(text).reason)
    }
  }
}

/// Sends outgoing calls.
package protocol Outbound: Sendable {
  /// Sends a call. `reply` is called once, on any thread. The returned closure cancels the call; a reply that arrives later is ignored.
  func send(_ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void) -> @Sendable () -> Void
}
