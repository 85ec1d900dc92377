import CairnCore
import Crypto
import Foundation

/// AES-GCM with a fresh nonce for each box. The purpose of a box is authenticated: one that was moved elsewhere does not open.
/// Boxes are sealed with the newest key; those of older ones open still.
struct SecretBox: Sendable {
  private let newest: SymmetricKey
  private let older: [SymmetricKey]

  /// 32 bytes each, the newest first.
  init(keys: [[UInt8]]) {
    // A box without a key opens nothing, and its seals cannot be opened: `KeyFile` never returns an empty list.
    newest = keys.first.map { SymmetricKey(data: $0) } ?? SymmetricKey(size: .bits256)
    older = keys.dropFirst().map { SymmetricKey(data: $0) }
  }

  /// Nonce, ciphertext and tag.
  func seal(_ text: String, for purpose: String) throws -> Data {
    let box = try AES.GCM.seal(Data(text.utf8), using: newest, authenticating: Data(purpose.utf8))
    // `combined` is nil only for nonces of another length than 12 bytes; the one above is made by `seal` itself.
    guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
    return combined
  }

  /// nil: none of these keys, not this purpose, or changed.
  func open(_ box: Data, for purpose: String) -> String? {
    if let text = Self.open(box, newest, purpose) { return text }
    for key in older {
      if let text = Self.open(box, key, purpose) { return text }
    }
    return nil
  }

  /// Whether the newest key opens it.
  func isNew(_ box: Data, for purpose: String) -> Bool { Self.open(box, newest, purpose) != nil }

  private static func open(_ box: Data, _ key: SymmetricKey, _ purpose: String) -> String? {
    guard let sealed = try? AES.GCM.SealedBox(combined: box),
      let clear = try? AES.GCM.open(sealed, using: key, authenticating: Data(purpose.utf8))
    else { return nil }
    return String(data: clear, encoding: .utf8)
  }
}
