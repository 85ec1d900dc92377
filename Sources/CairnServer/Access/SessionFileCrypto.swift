import CairnCrypto
import CairnStore
import Foundation

extension SessionFile.Crypto {
  /// Creates the functions that hash a session's file, and encrypt and decrypt its secrets by AES-GCM with a key of 32 bytes. If `key` is
  /// `nil`, the file contains no secrets.
  init(key: [UInt8]?) {
    self.init(digest: { Array(SHA256.hash($0)) })
    guard let key else { return }
    let box = SecretBox(keys: [key])
    seal = { secret, purpose in Array(box.seal(secret, for: purpose)) }
    open = { bytes, purpose in box.open(Data(bytes), for: purpose) }
  }

  /// Decodes a key of 32 bytes from base64 (RFC 4648, 4); `nil` for any other text.
  static func key(_ text: String) -> [UInt8]? { Data(base64Encoded: text).flatMap { $0.count == 32 ? Array($0) : nil } }
}
