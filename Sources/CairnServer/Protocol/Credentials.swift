import CairnHTTP
import Crypto

/// The credentials of a request (RFC 6750, 2.1).
enum Credentials: Equatable {
  case none
  /// The SHA-256 of the token, and whether the token has the form of a session secret.
  case bearer(SHA256Digest, isSecret: Bool)
  /// Malformed credentials, which are never valid.
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
    self = .bearer(Identity.digest(token), isSecret: Identity.isSecret(token))
  }

  /// Whether the token may be a session secret. Its session is unknown.
  var looksLikeSecret: Bool { if case .bearer(_, let isSecret) = self { isSecret } else { false } }

  /// Whether the token is the secret with this hash.
  func match(_ hash: [UInt8]?) -> Bool {
    guard case .bearer(let own, _) = self, let hash else { return false }
    return Identity.isEqual(own, hash)
  }
}

/// The role of an authenticated caller.
package enum Role: String, Sendable { case session, `operator` }
