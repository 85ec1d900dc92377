// `merge` and `merging` of the standard library cast dynamically, which Embedded Swift cannot.
extension Dictionary {
  /// Adds the entries of another dictionary, whose values replace those of the same keys.
  mutating func update(with other: [Key: Value]) { for (key, value) in other { self[key] = value } }

  /// The entries of both, the other's values where both have a key.
  func updated(with other: [Key: Value]) -> [Key: Value] {
    var all = self
    all.update(with: other)
    return all
  }
}
