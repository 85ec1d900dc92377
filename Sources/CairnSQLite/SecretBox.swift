import Crypto
import Foundation

/// AES-GCM with a fresh nonce for each box. What a box is for is authenticated: one that was moved elsewhere does not open.
struct SecretBox: Sendable {
  private let key: SymmetricKey

  /// 32 bytes.
  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// Nonce, ciphertext and tag.
  func seal(_ text: String, for purpose: String) throws -> Data {
    let box = try AES.GCM.seal(Data(text.utf8), using: key, authenticating: Data(purpose.utf8))
    // `combined` is nil only for nonces of another length than 12 bytes; the one above is made by `seal` itself.
    guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
    return combined
  }

  /// nil: not this key, not this purpose, or changed.
  func open(_ box: Data, for purpose: String) -> String? {
    guard let sealed = try? AES.GCM.SealedBox(combined: box),
      let clear = try? AES.GCM.open(sealed, using: key, authenticating: Data(purpose.utf8))
    else { return nil }
    return String(data: clear, encoding: .utf8)
  }
}
