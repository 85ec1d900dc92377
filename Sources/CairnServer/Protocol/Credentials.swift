import CairnHTTP
import Crypto

/// The credentials of a request (RFC 6750, 2.1).
enum Credentials: Equatable {
  case none
  /// SHA-256 of the token, and whether it has the form of a session's secret.
  case bearer(SHA256Digest, isSecret: Bool)
  /// Something else, which opens nothing.
  case unreadable

  init(_ headers: ReceivedHeaders) {
    self = headers.withOnly("Authorization", Self.init) ?? (headers.has("Authorization") ? .unreadable : .none)
  }

  /// Reads the value of `Authorization`.
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

  /// It may be a session's secret: whose is not known without the session.
  var looksLikeSecret: Bool { if case .bearer(_, let isSecret) = self { isSecret } else { false } }

  /// Whether it is the secret with this hash.
  func match(_ hash: [UInt8]?) -> Bool {
    guard case .bearer(let own, _) = self, let hash else { return false }
    return Identity.isEqual(own, hash)
  }
}

/// As what a request is allowed.
package enum Role: String, Sendable { case session, `operator` }
