/// An action as a client posts it, secrets included. `Reducer.seal` makes it an action, with the secret beside it.
public enum Command: Hashable, Sendable {
  /// Anything that holds no secret, as it is.
  case action(Action)
  case token(String)
  case login(code: String?, state: String?, byOperator: Bool)
  /// May be the OAuth redirect, and so hold a code.
  case open(url: String)
  /// Milliseconds by which a manual clock goes on.
  case advance(by: WideInt)
  /// The end of a request that the service does not send; may hold a token.
  case answer(RequestAnswer)
}
