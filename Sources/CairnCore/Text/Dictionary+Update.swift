// The standard library's `merge` and `merging` cast dynamically, which Embedded Swift does not support.
extension Dictionary {
  /// Adds the entries of another dictionary. If a key exists in both, the value of the other dictionary is used.
  mutating func update(with other: [Key: Value]) { for (key, value) in other { self[key] = value } }

  /// The entries of both dictionaries. The values of `other` take precedence.
  func updated(with other: [Key: Value]) -> [Key: Value] {
    var all = self
    all.update(with: other)
    return all
  }
}
