package import CairnCore

/// A request from the service to another host.
package enum OutboundCall: Hashable, Sendable {
  /// The request of a load or a message. Its response must be JSON. It may be empty if the method is not GET, or if the status is 204.
  case load(LoadCall)
  case token(TokenCall)

  /// A token call that exchanges an authorization code.
  package static func exchange(
    _ oauth: OAuthDefinition, environment: [String: String], code: String, verifier: String? = nil, bearer: String? = nil
  ) -> OutboundCall { .token(TokenCall(oauth, environment: environment, .code(code, verifier: verifier), bearer: bearer)) }

  /// A load with a plain GET.
  package static func get(url: String, bearer: String?) -> OutboundCall { .load(LoadCall(url: url, bearer: bearer)) }
}

/// The outcome of a call.
package enum OutboundResult: Hashable, Sendable {
  case json(Value)
  /// The tokens. Must never be logged.
  case tokens(TokenSet)
  /// A permanent failure: a stable code, then a colon and a text that contains no secret.
  case failed(String)
  /// A temporary failure, after which the call may be retried. The text is as in `failed`. `wait` is the server's `Retry-After` in
  /// milliseconds; `nil` if it sent none.
  case interrupted(String, wait: Int?)

  /// The result of a token call whose response contains nothing but an access token.
  package static func token(_ access: String) -> OutboundResult { .tokens(TokenSet(access)) }

  /// Returns the result. If the response to a refresh contains no refresh token, the result gets that of the request, which remains valid
  /// (RFC 6749, 6).
  func completed(for call: OutboundCall) -> OutboundResult {
    guard case .tokens(var set) = self, set.refresh == nil, case .token(let call) = call, case .refresh(let token) = call.grant else {
      return self
    }
    set.refresh = token
    return .tokens(set)
  }

  /// Whether the upstream could not be reached or did not respond in time.
  var isWithoutResponse: Bool {
    switch self {
    case .json, .tokens: false
    case .failed(let text), .interrupted(let text, _): [CallLimit.timeout, CallFailure.unreachable].contains(CallFailure(text).reason)
    }
  }
}

/// Sends outgoing calls.
package protocol Outbound: Sendable {
  /// Sends a call. `reply` is called once, on any thread. The returned closure cancels the call; a reply that arrives later is ignored.
  func send(_ call: OutboundCall, reply: @escaping @Sendable (OutboundResult) -> Void) -> @Sendable () -> Void
}
