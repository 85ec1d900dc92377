/// The purpose of a session's secret.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The authorization code of the token call with this effect id.
  case code(effect: Int)
}

/// The change of a secret.
package enum SecretChange: Hashable, Sendable {
  case keep(String)
  case forget
}
