/// The purpose of a session's secret.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The code of a token call that runs as this effect.
  case code(effect: Int)
}

/// The change of a secret.
package enum SecretChange: Hashable, Sendable {
  case keep(String)
  case forget
}
