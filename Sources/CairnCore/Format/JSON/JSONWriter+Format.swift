// Helpers for members that the formats often write.
extension JSONWriter {
  /// Writes a member only if it changed.
  mutating func member(_ name: StaticString, _ value: WideInt, unless old: WideInt) {
    if value != old { member(name, value) }
  }

  /// Writes a member only if it changed; null if it was removed.
  mutating func member(_ name: StaticString, _ value: WideInt?, unless old: WideInt?) {
    if value != old { member(name, orNull: value) }
  }

  /// Writes a member only if it changed; null if it was removed.
  mutating func member(_ name: StaticString, _ value: String?, unless old: String?) {
    if value != old { member(name, orNull: value) }
  }

  /// Writes a list of nodes as their numbers.
  mutating func numbers(of nodes: some Sequence<NodeID>) {
    beginArray()
    for node in nodes { integer(node.number) }
    endArray()
  }
}
