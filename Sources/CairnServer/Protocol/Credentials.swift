import CairnHTTP

/// What a request says of who sends it (RFC 6750, 2.1).
enum Credentials: Equatable {
  case none
  /// SHA-256 of the token.
  case bearer([UInt8])
  /// Something else, which opens nothing.
  case unreadable

  init(_ headers: Headers) {
    let values = headers.all("Authorization")
    guard let value = values.first else {
      self = .none
      return
    }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard values.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else {
      self = .unreadable
      return
    }
    self = .bearer(Identity.hash(String(parts[1].drop { $0 == " " })))
  }

  /// Whether it is the secret with this hash.
  func match(_ hash: [UInt8]?) -> Bool {
    guard case .bearer(let own) = self, let hash else { return false }
    return Identity.areEqual(own, hash)
  }
}

/// Who a request comes from, once that is sure.
enum Role: Equatable { case session, `operator` }
