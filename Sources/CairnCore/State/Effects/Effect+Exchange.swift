extension Effect {
  /// Whether the effect is a token request, whose result is an access token or an error.
  public var isExchange: Bool { grant != nil }

  /// Whether the effect exchanges the code of a login for a token.
  package var isLogin: Bool { grant == .code }

  /// Whether the effect refreshes the session's token.
  package var isRefresh: Bool { grant == .refresh }

  private var grant: Grant? {
    switch work {
    case .exchange(let grant): grant
    case .timer, .value, .request, .message: nil
    }
  }
}
