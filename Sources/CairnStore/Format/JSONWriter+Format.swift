import CairnCore

// Values that formats write often.
extension JSONWriter {
  /// Nothing if it is what it was.
  mutating func member(_ name: StaticString, _ value: Int, unless old: Int) {
    if value != old { member(name, value) }
  }

  /// Nothing if it is what it was; null if it is no more.
  mutating func member(_ name: StaticString, _ value: Int?, unless old: Int?) {
    if value != old { member(name, orNull: value) }
  }

  /// Writes a member only if it changed; null if it was removed.
  mutating func member(_ name: StaticString, _ value: String?, unless old: String?) {
    if value != old { member(name, orNull: value) }
  }

  /// Nodes by their numbers.
  mutating func numbers(of nodes: some Sequence<NodeID>) {
    beginArray()
    for node in nodes { integer(node.number) }
    endArray()
  }

  /// `{"case":{"_0":…}}`: a case with a value.
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
