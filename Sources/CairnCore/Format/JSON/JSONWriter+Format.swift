extension JSONWriter {
  /// Writes a member only if it changed; null if it was removed.
  mutating func member<Value: JSONWritable & Equatable>(_ name: StaticString, _ value: Value?, unless old: Value?) {
    if value != old { member(name, orNull: value) }
  }
}
