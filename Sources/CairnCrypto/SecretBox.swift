package import Foundation

/// Encrypts secrets with AES-256-GCM and a fresh nonce. The purpose of a secret is authenticated, so an encrypted secret cannot be
/// decrypted for another purpose. The newest key encrypts; older keys only decrypt.
package struct SecretBox: Sendable {
  private let newest: AESGCM
  private let older: [AESGCM]

  /// Creates the box. Each of the `keys` has 32 bytes; the newest key comes first.
  package init(keys: [[UInt8]]) {
    // Without keys a random key is used, which decrypts nothing. `KeyFile` never returns an empty list.
    newest = keys.first.map { AESGCM(key: $0) } ?? AESGCM()
    older = keys.dropFirst().map { AESGCM(key: $0) }
  }

  /// Encrypts a text. Returns the nonce, the ciphertext and the tag.
  package func seal(_ text: String, for purpose: String) -> Data {
    Data(newest.seal(Array(text.utf8), authenticating: Array(purpose.utf8)))
  }

  /// Returns the decrypted text; `nil` if no key matches, the purpose differs, or the data was changed.
  package func open(_ box: Data, for purpose: String) -> String? {
    if let text = Self.open(box, newest, purpose) { return text }
    for key in older {
      if let text = Self.open(box, key, purpose) { return text }
    }
    return nil
  }

  /// Whether the newest key decrypts the value; `false` if an older key is needed, or if no key matches.
  package func isNew(_ box: Data, for purpose: String) -> Bool { Self.open(box, newest, purpose) != nil }

  private static func open(_ box: Data, _ key: AESGCM, _ purpose: String) -> String? {
    key.open(Array(box), authenticating: Array(purpose.utf8)).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
