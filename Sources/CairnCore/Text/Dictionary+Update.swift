// The standard library's `merge` and `merging` use dynamic casts, which Embedded Swift does not support.
extension Dictionary {
  /// Adds the entries of another dictionary, which replace entries with the same key.
  mutating func update(with other: [Key: Value]) { for (key, value) in other { self[key] = value } }

  /// The entries of both dictionaries. If both have a key, the value of `other` is used.
  func updated(with other: [Key: Value]) -> [Key: Value] {
    var all = self
    all.update(with: other)
    return all
  }
}
