/// The purpose of a session's secret.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The authorization code of the token call with this effect id.
  case code(effect: Int)
}

extension SecretSlot {
  /// The value of the column `slot`: 0 for the token, otherwise the effect's id, which is at least 1.
  package var number: Int {
    switch self {
    case .token: 0
    case .code(let effect): effect
    }
  }

  /// The data that is authenticated together with the encrypted secret.
  package func purpose(of session: String) -> String {
    switch self {
    case .token: "\(session)/token"
    case .code(let effect): "\(session)/code/\(effect)"
    }
  }
}

/// The change of a secret.
package enum SecretChange: Hashable, Sendable {
  case keep(String)
  case forget
}
