/// A value that can be written as JSON.
public protocol JSONWritable: ~Copyable {
  /// Writes the value as exactly one JSON value.
  func write(to writer: inout JSONWriter)
  /// An upper estimate of the size of the JSON in bytes.
  var expectedSize: Int { get }
}

extension JSONWritable where Self: ~Copyable {
  /// The default estimate: the number of bytes that a writer can hold on the stack.
  public var expectedSize: Int { 1_024 }
}

extension JSONWriter {
  /// Writes a member. The name must not need an escape.
  @inline(__always)
  public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// Writes a member whose value is a word of the format.
  public mutating func member(_ name: StaticString, word: StaticString) {
    self.name(name)
    self.word(word)
  }

  /// Writes a member, or nothing if the value is `nil`.
  @inline(__always)
  public mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    if let value { member(name, value) }
  }

  /// Writes a member, whose value is `null` if `value` is `nil`.
  public mutating func member(_ name: StaticString, orNull value: (some JSONWritable)?) {
    self.name(name)
    if let value { value.write(to: &self) } else { null() }
  }

  /// Writes an array.
  public mutating func array(_ elements: [some JSONWritable]) {
    beginArray()
    // The storage that all empty arrays share is not aligned to 8 bytes on wasm32, and a span traps there (Swift 6.3).
    if !elements.isEmpty {
      // Iterating over the array would copy each element and retain its references.
      let elements = elements.span
      for index in elements.indices { elements[index].write(to: &self) }
    }
    endArray()
  }

  /// Writes an object. Its members are sorted by name, unless `isSorted` is false.
  public mutating func object(_ members: [String: some JSONWritable]) {
    beginObject()
    if members.count < 2 || !isSorted {
      for (name, value) in members {
        key(name)
        value.write(to: &self)
      }
    } else {
      for (name, value) in members.sortedByKey {
        key(name)
        value.write(to: &self)
      }
    }
    endObject()
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.array(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.object(self) }
}

extension String: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension WideInt: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Bool: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension RawRepresentable where Self: JSONWritable, RawValue == String {
  /// Writes the raw value, which needs no escape.
  public func write(to writer: inout JSONWriter) { writer.word(rawValue) }
}
