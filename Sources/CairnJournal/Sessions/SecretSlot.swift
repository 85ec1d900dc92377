package import CairnCore

/// Identifies a secret of a session by its purpose.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The authorization code of the token call, or the access token of the message, with this effect id.
  case code(effect: Int)
  /// The text of the secret param with this number.
  case param(Int)
}

extension SecretSlot {
  /// The slot for a number that `number` has returned.
  package init(number: Int) { self = number == 0 ? .token : number < 0 ? .param(-number) : .code(effect: number) }

  /// The value of the column `slot`: 0 for the token, the id of an effect (at least 1) for its code, or the negated number of a secret param.
  package var number: Int {
    switch self {
    case .token: 0
    case .code(let effect): effect
    case .param(let number): -number
    }
  }

  /// Whether a state may refer to the secret after its deletion, for example after an undo.
  package var mayBeGone: Bool { if case .param = self { true } else { false } }

  /// The data that is authenticated together with the encrypted secret.
  package func purpose(of session: String) -> String {
    switch self {
    case .token: "\(session)/token"
    case .code(let effect): "\(session)/code/\(effect)"
    case .param(let number): "\(session)/param/\(number)"
    }
  }
}

/// The change of a secret by a write.
package enum SecretChange: Hashable, Sendable {
  case keep(String)
  case forget
}

extension State {
  /// The slots of the secrets that belong to the state.
  package var secretSlots: [SecretSlot] {
    (facts[FactDefinition.accessToken] == nil ? [] : [.token]) + effects.filter { $0.isLogin || $0.keepsToken }.map { .code(effect: $0.id) }
      + secrets.sorted().map { .param($0) }
  }
}
