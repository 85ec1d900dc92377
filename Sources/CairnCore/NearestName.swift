/// Finds the name that was probably meant by a misspelt one.
package enum NearestName {
  /// The maximum length in bytes. A longer text is not a misspelt name, and the duration of a comparison grows with the square of the length.
  private static let longest = 256

  /// The candidate with the fewest edits, if they are few for its length; `nil` if none is near. Of equally near candidates the first one is
  /// returned.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    name.utf8.count <= longest ? KnownNames(candidates).nearest(to: name) : nil
  }
}
