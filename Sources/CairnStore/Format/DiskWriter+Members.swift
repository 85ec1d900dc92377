// A name and its value.
extension DiskWriter {
  mutating func member(_ name: StaticString, _ value: Int) {
    self.name(name)
    write(value)
  }

  mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    write(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    write(value)
  }

  /// Nothing if it is what it was.
  mutating func member(_ name: StaticString, _ value: Int, unless old: Int) {
    if value != old { member(name, value) }
  }

  /// Nothing if it is what it was; null if it is no more.
  mutating func member(_ name: StaticString, _ value: Int?, unless old: Int?) {
    guard value != old else { return }
    self.name(name)
    if let value { write(value) } else { null() }
  }

  /// Nothing if it is what it was; null if it is no more.
  mutating func member(_ name: StaticString, _ value: String?, unless old: String?) {
    guard value != old else { return }
    self.name(name)
    if let value { write(value) } else { null() }
  }

  /// `{"case":{"_0":…}}`: a case with a value.
  mutating func wrapped(_ name: StaticString, _ write: (inout DiskWriter) -> Void) {
    open("{")
    self.name(name)
    open("{")
    self.name("_0")
    write(&self)
    close("}")
    close("}")
  }
}
