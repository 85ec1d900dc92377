/// A secret, stored encrypted beside the journal.
public enum Secret: Hashable, Sendable {
  case token(String)
  case code(String)
  /// The texts of secret params, by the numbers that replace them in the action.
  case params([WideInt: String])
}

/// An action separated from its secret.
public struct Sealed: Hashable, Sendable {
  public var action: Action
  public var secret: Secret?

  public init(_ action: Action, secret: Secret? = nil) {
    self.action = action
    self.secret = secret
  }
}
