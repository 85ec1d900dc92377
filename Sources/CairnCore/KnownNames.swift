/// Names that exist, ready to be compared with many that do not: what cannot be near is passed over at a glance.
package struct KnownNames: Sendable {
  /// Each once, in order.
  package let sorted: [String]
  /// The names in lower case, one behind the other, and where each begins; at the end where the last one ends.
  private let scalars: [UInt32]
  private let starts: [Int]
  /// By name, a bit for each kind of letter in it: few edits change few of them.
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

  /// The name with the fewest edits, if they are few for its length; nil if none is near. Of equals the first in order; those that
  /// are taken are left out.
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
      // From here on only a nearer one is wanted.
      guard edits > 0 else { break }
      allowed = edits - 1
    }
    return best.map { sorted[$0] }
  }

  private static func spelled(_ name: String) -> [UInt32] { name.lowercased().unicodeScalars.map { $0.value } }

  private static func letters(of scalars: [UInt32]) -> UInt64 { scalars.reduce(0) { $0 | 1 << UInt64($1 % 64) } }
}
