import CairnCore

/// The tokens in a response of a token endpoint (RFC 6749, 5.1).
package struct TokenSet: Hashable, Sendable {
  package var access: String
  package var refresh: String?
  /// The lifetime of the access token in seconds; `nil` if it is unknown.
  package var lifetime: Int?

  package init(_ access: String, refresh: String? = nil, lifetime: Int? = nil) {
    self.access = access
    self.refresh = refresh
    self.lifetime = lifetime
  }
}

/// The token of a session. All parts are stored as one secret, so that they are replaced and deleted together.
struct SessionToken: Hashable, Sendable {
  var access: String
  var refresh: String?
  /// The time in milliseconds since 1970 at which the access token expires; `nil` if it is unknown.
  var expires: Int?

  /// The token of a response that arrived at `time`, in milliseconds since 1970.
  init(_ set: TokenSet, at time: Int) {
    access = set.access
    refresh = set.refresh
    expires = set.lifetime.map { time.addingSaturated($0.multipliedSaturated(by: 1_000)) }
  }

  /// Reads the stored text. A text of one line contains nothing but an access token.
  init(text: String) {
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3 else {
      access = text
      return
    }
    access = String(lines[0])
    expires = Int(lines[1])
    refresh = lines[2].isEmpty ? nil : String(lines[2])
  }

  /// The stored text.
  var text: String {
    refresh == nil && expires == nil ? access : "\(access)\n\(expires.map { "\($0)" } ?? "")\n\(refresh ?? "")"
  }

  /// Whether a request can carry the access token.
  var isUsable: Bool { TokenText.fault(of: access) == nil }

  /// Whether a load must wait for a refresh, because the access token has expired. Always `false` without a refresh token: such a load is
  /// sent with the old access token, which the upstream accepts or rejects.
  func needsRefresh(at time: Int) -> Bool { refresh != nil && expires.map { $0 <= time } ?? false }
}
