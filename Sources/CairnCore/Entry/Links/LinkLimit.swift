/// The maximum length of a URL that is opened. It applies to every source of URLs. A URL of this length still fits into the query of a
/// request.
package enum LinkLimit {
  /// Maximum number of bytes.
  package static let bytes = 4_096

  package static func allows(_ url: String) -> Bool { url.utf8.count <= bytes }
}
