extension JSONWriter {
  // There is one function for each type, because a generic function is specialized across files only with whole-module optimization.
  /// Writes a member only if its value changed; writes `null` if the value was removed.
  mutating func member(_ name: StaticString, _ value: WideInt?, unless old: WideInt?) {
    if value != old { member(name, orNull: value) }
  }

  /// Writes a member only if its value changed; writes `null` if the value was removed.
  mutating func member(_ name: StaticString, _ value: String?, unless old: String?) {
    if value != old { member(name, orNull: value) }
  }
}
