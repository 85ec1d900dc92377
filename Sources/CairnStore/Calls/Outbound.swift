package import CairnCore

/// A call that leaves the machine.
package enum OutboundCall: Hashable, Sendable {
  /// A load: JSON expected.
  case load(LoadCall)
  /// The token call of RFC 6749, 4.1.3, in the shape that the definition's `oauth` says.
  case exchange(OAuthDefinition, environment: [String: String], code: String, bearer: String?)

  /// A load that is a plain GET.
  package static func get(url: String, bearer: String?) -> OutboundCall { .load(LoadCall(url: url, bearer: bearer)) }
}

/// How a call ended.
package enum OutboundResult: Hashable, Sendable {
  case json(Value)
  /// The token; never to be logged.
  case token(String)
  /// A stable word and, behind a colon, a text without any secret in it.
  case failed(String)
  /// Failed in a way that may pass, and so may be tried again: the same, and the milliseconds that the server asks to wait.
  case interrupted(String, wait: Int?)

  /// Whether the upstream did not respond at all: it could not be reached, or did not respond in time.
  var isWithoutResponse: Bool {
    switch self {
    case .json, .token: false
    case .failed(let text), .interrupted(let text, _): [CallLimit.timeout, CallFailure.unreachable].contains(CallFailure(text).reason)
    }
  }
}

/// Makes the calls; the reply is called once, on any thread.
package protocol Outbound: Sendable {
  /// A running call can be given up with the closure that comes back; its reply may still come and is then ignored.
  func send(_ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void) -> @Sendable () -> Void
}
