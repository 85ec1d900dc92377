/// Finds the name that was probably meant.
package enum NearestName {
  /// The candidate with the fewest edits, if they are few for its length; nil if none is near. Of equals the first in order.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    KnownNames(candidates).nearest(to: name)
  }
}
