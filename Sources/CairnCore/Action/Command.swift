/// An action as a client posts it, including secrets. `Reducer.seal` separates the action from its secret.
public enum Command: Hashable, Sendable {
  /// An action without secrets.
  case action(Action)
  case token(String)
  case login(code: String?, state: String?, byOperator: Bool)
  /// A URL, which may be the OAuth redirect and thus contain a code.
  case open(url: String)
  /// Advances a manual clock by this number of milliseconds.
  case advance(by: WideInt)
  /// The result of a request that the service does not send, because the session has manual requests. It may contain a token.
  case answer(RequestAnswer)
}
