/// The result of a request, posted by a tester in a session with manual requests (`Creation.manualRequests`).
public struct RequestAnswer: Hashable, Sendable {
  /// The effect of the request. If it is `nil`, the answer is for the oldest running request that can end with `end`: a load or message, or
  /// a token exchange.
  public var effect: Effect.ID?
  public var end: End

  public enum End: Hashable, Sendable {
    /// The value that a load or message returned.
    case loaded(Value)
    /// The reason why a load or message failed: a stable word, optionally followed by a colon and a text.
    case failed(String)
    /// The token that a token exchange returned.
    case exchanged(token: String)
    case exchangeFailed(String)
  }

  public init(_ end: End, of effect: Effect.ID? = nil) {
    self.end = end
    self.effect = effect
  }
}

#if !CLIENT_ENGINE
  extension RequestAnswer {
    /// Returns the action that ends the request, with its token as the secret. Throws `manual-requests-only` if the session does not have
    /// manual requests, `effect-gone` if no such request is running, and `invalid` if the token cannot be used.
    func sealed(for state: State) throws(Refusal) -> Sealed {
      guard state.manualRequests else {
        throw Refusal(.manualRequestsOnly, "requests can be completed by hand only in a session created with \"requests\":\"manual\"")
      }
      let found = state.effects.first {
        // A message that waits for an earlier one has not been sent.
        $0.isRequest && $0.isExchange == isOfExchange && !($0.isMessage && $0.isIdle) && effect.map([$0.id].contains) ?? true
      }
      guard let found else { throw Refusal(.effectGone, "no request is running") }
      switch end {
      case .loaded(let value): return found.completed(with: value, for: state)
      case .failed(let reason), .exchangeFailed(let reason): return Sealed(.effect(id: found.id, .failed(reason)))
      case .exchanged(let token):
        try TokenText.check(token, at: "/exchanged")
        return Sealed(.effect(id: found.id, .exchanged), secret: .token(token))
      }
    }

    private var isOfExchange: Bool {
      switch end {
      case .loaded, .failed: false
      case .exchanged, .exchangeFailed: true
      }
    }
  }
#endif
