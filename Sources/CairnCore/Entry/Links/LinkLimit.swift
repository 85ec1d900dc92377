/// The limit of a URL that is opened. It is the same for every way in which a URL can come, and small enough for the query of a request.
package enum LinkLimit {
  /// The maximum number of bytes.
  package static let bytes = 4_096

  /// Whether a URL is not too long.
  package static func allows(_ url: String) -> Bool { url.utf8.count <= bytes }
}
