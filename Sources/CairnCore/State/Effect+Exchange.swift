extension Effect {
  /// Whether the effect is the token exchange, whose result is an access token or an error.
  public var isExchange: Bool {
    switch work {
    case .exchange: true
    case .timer, .value, .request: false
    }
  }
}
