extension Effect {
  /// Whether the effect is the token call. It ends with a token, or with the reason of its failure.
  public var isExchange: Bool {
    switch work {
    case .exchange: true
    case .timer, .value, .request: false
    }
  }
}
