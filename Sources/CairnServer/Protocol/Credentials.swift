import CairnCrypto
import CairnHTTP

/// The credentials of a request (RFC 6750, 2.1).
enum Credentials: Equatable {
  case none
  /// A bearer token's SHA-256, and whether the token has the form of a session's secret.
  case bearer(SHA256.Digest, isSecret: Bool)
  /// Another scheme, a repeated header, or a malformed value. These credentials are never accepted.
  case unreadable

  init(_ headers: ReceivedHeaders) {
    self = headers.withOnly("Authorization", Self.init) ?? (headers.has("Authorization") ? .unreadable : .none)
  }

  /// Parses the value of `Authorization`.
  private init(_ value: UnsafeRawBufferPointer) {
    let blank = UInt8(ascii: " ")
    let end = value.firstIndex(of: blank) ?? value.endIndex
    let token = UnsafeRawBufferPointer(rebasing: value[end...].drop { $0 == blank })
    guard !token.isEmpty, UnsafeRawBufferPointer(rebasing: value[..<end]).isEqualIgnoringCase(to: "Bearer") else {
      self = .unreadable
      return
    }
    self = .bearer(SHA256.hash(token), isSecret: Identity.isSecret(token))
  }

  /// Whether the token has the form of a session's secret. Only a comparison with the session's hash decides whether the token is the
  /// secret.
  var looksLikeSecret: Bool { if case .bearer(_, let isSecret) = self { isSecret } else { false } }

  /// Whether the token is the secret with this SHA-256. The comparison takes constant time.
  func match(_ hash: [UInt8]?) -> Bool {
    guard case .bearer(let own, _) = self, let hash else { return false }
    return own.isEqual(to: hash)
  }
}

/// The role in which a caller is authorized.
package enum Role: String, Sendable { case session, `operator` }
