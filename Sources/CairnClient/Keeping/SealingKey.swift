#if canImport(CairnCrypto)
  import CairnCrypto
#endif
import CairnCore

/// The service's public key, with which a client without a network seals the secret params of a step (docs/engine.md).
struct SealingKey: Sendable {
  /// The key in base64url.
  let text: String
  /// The client's time at which the key was read, in milliseconds since 1970.
  let at: Int

  /// The time in milliseconds for which a key is used after it was read. The service decrypts values for longer, because a value that is
  /// sealed at the end of this time may wait equally long before it is sent.
  private static let lifetime = Definition.usualOfflineFor
  private static let day = 86_400_000
  /// The number of characters at the beginning of a key's text that are the key's id.
  private static let idLength = 16
  private static let info = "cairn secret param"

  /// Returns `nil` if the text is not an uncompressed point in base64url.
  init?(_ text: String?, at: Int) {
    guard let text, text.utf8.count == 87, text.hasPrefix("B"),
      text.utf8.allSatisfy({
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || "0123456789-_".utf8.contains($0)
      })
    else { return nil }
    (self.text, self.at) = (text, at)
  }

  /// Whether the key is older than a day. An old key should be read again, because the service may have published another key.
  func isOld(at now: Int) -> Bool { now - at > Self.day }

  /// Returns an action in which the values of these params are sealed; `nil` if the key is too old, or if this system has no HPKE.
  /// `session` is the id of the only session in which the service opens the values.
  func sealing(_ names: [String], of action: Value, session: String, at now: Int) -> Value? {
    #if canImport(CairnCrypto)
      guard now - at < Self.lifetime, case .object(var members) = action, case .object(var params)? = members["params"],
        let key = Base64URL.bytes(of: text)
      else { return nil }
      for name in names {
        guard case .string(let secret)? = params[name],
          let box = HPKE.seal(Array(secret.utf8), for: key, info: Array(Self.info.utf8), authenticating: Array(session.utf8))
        else { return nil }
        params[name] = ["key": .string(String(text.prefix(Self.idLength))), "sealed": .string(Base64URL.text(of: box))]
      }
      members["params"] = .object(params)
      return .object(members)
    #else
      return nil
    #endif
  }
}
