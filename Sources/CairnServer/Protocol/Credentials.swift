import CairnHTTP

/// What a request says of who sends it (RFC 6750, 2.1).
enum Credentials: Equatable {
  case none
  /// SHA-256 of the token, and whether it has the form of a session's secret.
  case bearer([UInt8], isSecret: Bool)
  /// Something else, which opens nothing.
  case unreadable

  init(_ headers: ReceivedHeaders) {
    guard let value = headers.bytes("Authorization") else {
      self = .none
      return
    }
    let blank = UInt8(ascii: " ")
    let scheme = value.prefix { $0 != blank }
    let token = value[scheme.endIndex...].drop { $0 == blank }
    guard !token.isEmpty, String(decoding: scheme, as: UTF8.self).lowercased() == "bearer", headers.count("Authorization") == 1 else {
      self = .unreadable
      return
    }
    self = .bearer(Identity.hash(token), isSecret: Identity.isSecret(token))
  }

  /// It may be a session's secret: whose is not known without the session.
  var looksLikeSecret: Bool { if case .bearer(_, let isSecret) = self { isSecret } else { false } }

  /// Whether it is the secret with this hash.
  func match(_ hash: [UInt8]?) -> Bool {
    guard case .bearer(let own, _) = self, let hash else { return false }
    return Identity.areEqual(own, hash)
  }
}

/// Who a request comes from, once that is sure.
enum Role: Equatable { case session, `operator` }
