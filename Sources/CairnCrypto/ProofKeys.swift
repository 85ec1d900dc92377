/// Derives the code verifiers of logins (RFC 7636) from a secret of the service. Therefore no verifier is stored while a login page is
/// open, and all nodes derive the same verifiers.
package struct ProofKeys: Sendable {
  private let hash: HMAC

  /// Creates the keys. `key` is a secret of the service that never changes.
  package init(key: [UInt8]) { hash = HMAC(key: key) }

  /// Returns the code verifier of a login, 43 characters. `seed` is the random text of the login's OAuth state.
  package func verifier(of seed: String) -> String {
    Base64URL.text(of: hash.code(Array("code verifier \(seed)".utf8)))
  }

  /// Returns the code challenge of a verifier with the method S256 (RFC 7636, 4.2).
  package static func challenge(of verifier: String) -> String { Base64URL.text(of: SHA256.hash(verifier)) }
}
