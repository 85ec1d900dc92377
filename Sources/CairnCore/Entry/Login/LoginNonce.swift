/// The OAuth state of a login page. It is a random text. With PKCE, a dot and the code challenge follow.
package struct LoginNonce: Hashable, Sendable {
  /// The value of the parameter `state`.
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Adds a code challenge to a random text.
  package init(_ seed: String, challenge: String) { text = "\(seed).\(challenge)" }

  /// The random text, from which the code verifier is derived.
  package var seed: String { String(text.prefix { $0 != "." }) }

  /// The code challenge (RFC 7636, 4.2); `nil` if the login has none.
  package var challenge: String? {
    let rest = text.drop { $0 != "." }
    return rest.isEmpty ? nil : String(rest.dropFirst())
  }

  /// The nonce of another login page of the same action.
  func of(_ page: NodeID) -> LoginNonce {
    let challenge = text.drop { $0 != "." }
    return LoginNonce("\(seed)-\(page)\(challenge)")
  }
}
