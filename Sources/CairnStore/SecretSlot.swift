import CairnCore

/// The purpose of a session's secret.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The authorization code of the token call with this effect id.
  case code(effect: Int)
}

extension SecretSlot {
  /// The slot with this number; `nil` if it is negative.
  init?(number: Int) {
    guard number >= 0 else { return nil }
    self = number == 0 ? .token : .code(effect: number)
  }

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

extension State {
  /// The slots of the secrets that belong to the state.
  var secretSlots: [SecretSlot] {
    (facts[FactDefinition.accessToken] == nil ? [] : [.token]) + effects.filter(\.isExchange).map { .code(effect: $0.id) }
  }
}
