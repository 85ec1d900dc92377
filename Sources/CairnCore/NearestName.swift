/// Finds the name that was probably meant.
package enum NearestName {
  /// Bytes. What is longer is no name that somebody meant, and would take time with the square of its length.
  private static let longest = 256

  /// The candidate with the fewest edits, if they are few for its length; nil if none is near. Of equals the first in order.
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let allowed = max(1, min(3, name.count / 3))
    let given = Array(name.lowercased())
    var best: (name: String, edits: Int)?
    for candidate in candidates.sorted() where candidate != name && candidate.utf8.count <= longest {
      let edits = edits(from: given, to: Array(candidate.lowercased()))
      if edits <= allowed, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, restricted).
  private static func edits(from a: [Character], to b: [Character]) -> Int {
    if abs(a.count - b.count) > 3 { return .max }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { edits = min(edits, beforeLast[j - 1] + 1) }
        row.append(edits)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
