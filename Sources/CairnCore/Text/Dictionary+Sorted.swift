extension Dictionary where Key == String {
  /// The entries in ascending order of their keys.
  package var sortedByKey: [(key: String, value: Value)] {
    let entries = Array(self)
    guard entries.count > 1 else { return entries }
    return ascendingPlaces(of: entries.map { $0.key }).map { entries[$0] }
  }
}

/// The indices of strings in ascending order of the strings. Sorting indices instead of entries makes the engine smaller: the standard library's sort
/// is compiled once, instead of once for each type of values.
private func ascendingPlaces(of keys: [String]) -> [Int] { keys.indices.sorted { keys[$0] < keys[$1] } }
