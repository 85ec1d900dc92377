import Foundation

/// Functions for the URL of a database as text.
enum DatabaseURL {
  /// Whether a text is the URL of a PostgreSQL database. Any other text is the path of a SQLite database.
  static func isPostgres(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

  static func hasPassword(_ text: String) -> Bool { isPostgres(text) && withoutPassword(text) != text }

  /// Returns the URL without its password, for display. A text that is not the URL of a PostgreSQL database is returned unchanged.
  static func withoutPassword(_ text: String) -> String {
    guard isPostgres(text), let scheme = text.range(of: "://") else { return text }
    var rest = String(text[scheme.upperBound...])
    let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
    if let at = rest[..<end].lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") { rest.removeSubrange(colon..<at) }
    if let query = rest.firstIndex(of: "?") {
      let parts = rest[rest.index(after: query)...].split(separator: "&").filter { !$0.lowercased().hasPrefix("password=") }
      rest = rest[..<query] + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }
    return text[..<scheme.upperBound] + rest
  }
}
