extension Effect {
  /// It is the token call: its end brings a secret, or says why there is none.
  public var isExchange: Bool {
    switch work {
    case .exchange: true
    case .timer, .value, .request: false
    }
  }
}
