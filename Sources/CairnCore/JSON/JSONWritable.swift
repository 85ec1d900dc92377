/// A value that can be written as JSON.
public protocol JSONWritable: ~Copyable {
  /// Writes one value.
  func write(to writer: inout JSONWriter)
  /// About how many bytes it takes, rather too many.
  var expectedSize: Int { get }
}

extension JSONWritable where Self: ~Copyable {
  /// As many as find room on the stack.
  public var expectedSize: Int { 1_024 }
}

extension JSONWriter {
  /// A member whose name needs no escape.
  @inline(__always)
  public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// A member whose value is a word of the format.
  public mutating func member(_ name: StaticString, word: StaticString) {
    self.name(name)
    self.word(word)
  }

  /// A member that is left out without a value.
  @inline(__always)
  public mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    if let value { member(name, value) }
  }

  /// A member that is `null` without a value.
  public mutating func member(_ name: StaticString, orNull value: (some JSONWritable)?) {
    self.name(name)
    if let value { value.write(to: &self) } else { null() }
  }

  /// An array of what is given.
  public mutating func array(_ elements: [some JSONWritable]) {
    beginArray()
    write(elements.span)
    endArray()
  }

  /// Writes elements without copying them: a copy would retain all their references.
  private mutating func write<Element: JSONWritable & ~Copyable>(_ elements: Span<Element>) {
    for index in elements.indices { elements[index].write(to: &self) }
  }

  /// An object of members, sorted by name; what is only stored comes as it does.
  public mutating func object(_ members: [String: some JSONWritable]) {
    beginObject()
    if members.count < 2 || isStored {
      for (name, value) in members {
        key(name)
        value.write(to: &self)
      }
    } else {
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
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
  /// The words of the format's enumerations need no escape.
  public func write(to writer: inout JSONWriter) { writer.word(rawValue) }
}
