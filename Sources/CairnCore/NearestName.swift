/// Finds the known name that a misspelt name probably means.
package enum NearestName {
  /// Maximum length of a name that is looked up, in bytes. Longer texts are not misspelt names, and the comparison takes quadratic time.
  private static let longest = 256

  /// Returns the candidate with the fewest edits; `nil` if no candidate is near enough (see `KnownNames.nearest`). Of several equally near
  /// candidates, the first in ascending order is returned.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    name.utf8.count <= longest ? KnownNames(candidates).nearest(to: name) : nil
  }
}
