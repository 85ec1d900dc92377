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

  /// Writes an enum case with an associated value: `{"case":{"_0":…}}`.
  mutating func wrapped(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    beginObject()
    self.name(name)
    beginObject()
    self.name("_0")
    write(&self)
    endObject()
    endObject()
  }
}
