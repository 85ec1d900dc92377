import Crypto
package import Foundation

/// Encrypts secrets with AES-GCM and a fresh nonce. The purpose of a secret is authenticated, so an encrypted secret cannot be used elsewhere. The
/// newest key encrypts; older keys only decrypt.
package struct SecretBox: Sendable {
  private let newest: SymmetricKey
  private let older: [SymmetricKey]

  /// The keys, 32 bytes each, the newest first.
  package init(keys: [[UInt8]]) {
    // Without keys a random key is used, which decrypts nothing. `KeyFile` never returns an empty list.
    newest = keys.first.map { SymmetricKey(data: $0) } ?? SymmetricKey(size: .bits256)
    older = keys.dropFirst().map { SymmetricKey(data: $0) }
  }

  /// The nonce, the ciphertext and the tag.
  package func seal(_ text: String, for purpose: String) throws -> Data {
    let box = try AES.GCM.seal(Data(text.utf8), using: newest, authenticating: Data(purpose.utf8))
    // `combined` is only `nil` for nonces that do not have 12 bytes. `seal` creates one with 12 bytes.
    guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
    return combined
  }

  /// The decrypted text; `nil` if no key matches, the purpose differs, or the data was changed.
  package func open(_ box: Data, for purpose: String) -> String? {
    if let text = Self.open(box, newest, purpose) { return text }
    for key in older {
      if let text = Self.open(box, key, purpose) { return text }
    }
    return nil
  }

  /// Whether the newest key decrypts the value.
  package func isNew(_ box: Data, for purpose: String) -> Bool { Self.open(box, newest, purpose) != nil }

  private static func open(_ box: Data, _ key: SymmetricKey, _ purpose: String) -> String? {
    guard let sealed = try? AES.GCM.SealedBox(combined: box),
      let clear = try? AES.GCM.open(sealed, using: key, authenticating: Data(purpose.utf8))
    else { return nil }
    return String(data: clear, encoding: .utf8)
  }
}
