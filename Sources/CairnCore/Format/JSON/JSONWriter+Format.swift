extension JSONWriter {
  // One function for each type, because a generic one is not specialized across files, except in a build of whole modules.
  /// Writes a member only if it changed; null if it was removed.
  mutating func member(_ name: StaticString, _ value: WideInt?, unless old: WideInt?) {
    if value != old { member(name, orNull: value) }
  }

  /// Writes a member only if it changed; null if it was removed.
  mutating func member(_ name: StaticString, _ value: String?, unless old: String?) {
    if value != old { member(name, orNull: value) }
  }
}
