/// The error of an OAuth provider as the reason of a failed login (RFC 6749, 4.1.2.1 and 5.2).
package enum ProviderError {
  /// The maximum number of characters of the code and of the description.
  package static let limit = 200

  /// Returns the code, followed by a colon and the description if there is one. Both come from outside: they are truncated, and characters that
  /// control a terminal or the direction of text are replaced.
  package static func reason(_ code: String, description: String? = nil) -> String {
    guard let description, !description.isEmpty else { return plain(code) }
    return "\(plain(code)): \(plain(description))"
  }

  private static func plain(_ text: String) -> String {
    var plain = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return plain + "…" }
      plain.unicodeScalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
      count += 1
    }
    return plain
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
