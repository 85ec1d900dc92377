// Helpers for optional members, lists and tables. A member whose value is empty is omitted.
extension JSONWriter {
  /// Writes an object.
  mutating func object(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    body(&self)
    endObject()
  }

  /// Writes a member unless its value is `nil`.
  mutating func member<Value>(_ name: StaticString, _ value: Value?, as write: (Value, inout JSONWriter) -> Void) {
    guard let value else { return }
    self.name(name)
    write(value, &self)
  }

  /// Writes a list unless it is empty.
  mutating func list<Value>(_ name: StaticString, _ values: [Value], as write: (Value, inout JSONWriter) -> Void) {
    guard !values.isEmpty else { return }
    self.name(name)
    beginArray()
    for value in values { write(value, &self) }
    endArray()
  }

  /// Writes an object whose member names are data, unless it is empty.
  mutating func table<Value>(_ name: StaticString, _ values: [String: Value], as write: (Value, inout JSONWriter) -> Void) {
    guard !values.isEmpty else { return }
    self.name(name)
    beginObject()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      self.key(key)
      write(value, &self)
    }
    endObject()
  }

  /// Writes a list of texts unless it is empty.
  mutating func texts(_ name: StaticString, _ texts: [String]) {
    if !texts.isEmpty { member(name, texts) }
  }

  /// Writes a flag only if it is set.
  mutating func flag(_ name: StaticString, _ isSet: Bool) {
    if isSet { member(name, true) }
  }
}

extension JSONElement {
  /// The elements of an array, each converted by `read`.
  func list<Value>(_ read: (JSONElement) throws(UnreadableFormat) -> Value) throws(UnreadableFormat) -> [Value] {
    var values: [Value] = []
    for element in try readElements() { values.append(try read(element)) }
    return values
  }

  /// The values of an object whose member names are data, each as `read` reads it.
  func table<Value>(_ read: (JSONElement) throws(UnreadableFormat) -> Value) throws(UnreadableFormat) -> [String: Value] {
    var values: [String: Value] = [:]
    for (name, value) in try readMembers() { values[try name.readString()] = try read(value) }
    return values
  }

  /// The texts of an array.
  func texts() throws(UnreadableFormat) -> [String] { try list { element throws(UnreadableFormat) in try element.readString() } }
}
