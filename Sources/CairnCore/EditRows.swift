/// Computes the restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbors. The rows of the matrix are reused between
/// comparisons.
struct EditRows {
  private var beforeLast: [Int]
  private var last: [Int]
  private var row: [Int]

  /// Creates rows for comparisons in which `from` has at most `columns` scalars.
  init(columns: Int) {
    row = Array(repeating: 0, count: columns + 1)
    last = row
    beforeLast = row
  }

  /// The number of edits; `nil` if it exceeds `limit`. Skips equal prefixes and suffixes, and cells that are more than `limit` off the diagonal.
  mutating func edits(from one: ArraySlice<UInt32>, to other: ArraySlice<UInt32>, atMost limit: Int) -> Int? {
    var (a, b) = (other, one)
    while let first = a.first, first == b.first { (a, b) = (a.dropFirst(), b.dropFirst()) }
    while let end = a.last, end == b.last { (a, b) = (a.dropLast(), b.dropLast()) }
    if a.isEmpty || b.isEmpty { return a.count + b.count <= limit ? a.count + b.count : nil }
    guard abs(a.count - b.count) <= limit else { return nil }
    let beyond = limit + 1
    let columns = b.count
    for column in 0...columns { last[column] = column }
    for i in 0..<a.count {
      let (first, end) = (max(0, i - limit), min(columns, i + limit + 1))
      row[first] = first == 0 ? i + 1 : beyond
      var least = row[first]
      for j in first..<end {
        let (mine, its) = (a[a.startIndex + i], b[b.startIndex + j])
        // Cells outside the band of the previous row were not computed.
        let above = j + 1 <= i - 1 + limit + 1 ? last[j + 1] : beyond
        var edits = min(above + 1, row[j] + 1, last[j] + (mine == its ? 0 : 1))
        if i > 0, j > 0, mine == b[b.startIndex + j - 1], a[a.startIndex + i - 1] == its { edits = min(edits, beforeLast[j - 1] + 1) }
        row[j + 1] = edits
        least = min(least, edits)
      }
      guard least <= limit else { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[columns] <= limit ? last[columns] : nil
  }
}
