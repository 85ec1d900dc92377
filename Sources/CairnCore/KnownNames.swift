/// A set of known names, prepared for many searches for the name that is nearest to an unknown one. Names that cannot be the nearest are
/// rejected without a comparison.
package struct KnownNames: Sendable {
  /// The distinct names in ascending order.
  package let sorted: [String]
  /// The lowercased scalars of all names in one array, and the offset of each name. The last offset is the end of the array.
  private let scalars: [UInt32]
  private let starts: [Int]
  /// For each name, a bit set of its scalars modulo 64. One edit changes at most two bits, so names whose sets differ in more than two bits per allowed edit
  /// need no comparison.
  private let letters: [UInt64]

  package init(_ names: some Sequence<String>) {
    sorted = Set(names).sorted()
    var scalars: [UInt32] = []
    var starts = [0]
    var letters: [UInt64] = []
    for name in sorted {
      let spelled = KnownNames.spelled(name)
      scalars += spelled
      starts.append(scalars.count)
      letters.append(KnownNames.letters(of: spelled))
    }
    (self.scalars, self.starts, self.letters) = (scalars, starts, letters)
  }

  /// Returns the known name that differs from `name` by the fewest edits; `nil` if none is near enough. The limit is one edit per three
  /// characters of `name`, but at least 1 and at most 3 edits. Of several equally near names, the first in ascending order is returned.
  /// Names for which `isTaken` is true are skipped.
  package func nearest(to name: String, isTaken: (String) -> Bool = { _ in false }) -> String? {
    var allowed = max(1, min(3, name.count / 3))
    let spelled = KnownNames.spelled(name)
    let marks = KnownNames.letters(of: spelled)
    var best: Int?
    var rows = EditRows(columns: spelled.count + 3)
    for index in sorted.indices {
      let (start, end) = (starts[index], starts[index + 1])
      guard abs(end - start - spelled.count) <= allowed, (letters[index] ^ marks).nonzeroBitCount <= 2 * allowed else { continue }
      guard let edits = rows.edits(from: scalars[start..<end], to: spelled[...], atMost: allowed) else { continue }
      guard sorted[index] != name, !isTaken(sorted[index]) else { continue }
      best = index
      // From here on, only a nearer name is accepted.
      guard edits > 0 else { break }
      allowed = edits - 1
    }
    return best.map { sorted[$0] }
  }

  private static func spelled(_ name: String) -> [UInt32] { name.lowercased().unicodeScalars.map { $0.value } }

  private static func letters(of scalars: [UInt32]) -> UInt64 { scalars.reduce(0) { $0 | 1 << UInt64($1 % 64) } }
}
