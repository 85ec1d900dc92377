/// Finds the name that was probably meant.
package enum NearestName {
  /// In bytes. A longer text is not a misspelt name, and the comparison takes time with the square of its length.
  private static let longest = 256

  /// The candidate with the fewest edits, if they are few for its length; nil if none is near. Of equals the first in order.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    name.utf8.count <= longest ? KnownNames(candidates).nearest(to: name) : nil
  }
}
