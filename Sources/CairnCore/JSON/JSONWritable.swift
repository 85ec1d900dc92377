/// What has a form in JSON.
package protocol JSONWritable {
  /// Writes one value.
  func write(to writer: inout JSONWriter)
}

extension JSONWriter {
  /// A member whose name needs no escape.
  package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// A member that is left out without a value.
  package mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    if let value { member(name, value) }
  }

  /// A member that is `null` without a value.
  package mutating func member(_ name: StaticString, orNull value: (some JSONWritable)?) {
    self.name(name)
    if let value { value.write(to: &self) } else { null() }
  }

  /// An array of what is given.
  package mutating func array(_ elements: some Sequence<some JSONWritable>) {
    beginArray()
    for element in elements { element.write(to: &self) }
    endArray()
  }

  /// An array of what is given; says where its last element stands, for `again`. nil: there is none.
  package mutating func array(markingLast elements: some Sequence<some JSONWritable>) -> Range<Int>? {
    var last: Range<Int>?
    beginArray()
    for element in elements {
      let start = last == nil ? count : count + 1
      element.write(to: &self)
      last = start..<count
    }
    endArray()
    return last
  }

  /// An object of members, sorted by name.
  package mutating func object(_ members: [String: some JSONWritable]) {
    beginObject()
    if members.count < 2 {
      for (name, value) in members {
        self.name(name)
        value.write(to: &self)
      }
    } else {
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        self.name(name)
        value.write(to: &self)
      }
    }
    endObject()
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.array(self) }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.object(self) }
}

extension String: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Bool: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension NodeID: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.id(self) }
}

extension RawRepresentable where Self: JSONWritable, RawValue == String {
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}
