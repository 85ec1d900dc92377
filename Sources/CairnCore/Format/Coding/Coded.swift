/// A value whose form in JSON is defined once. A coder writes, reads or describes it.
package protocol CodedValue {
  /// The initial value of a variable that a reader fills.
  static var blank: Self { get }
  /// Passes the value to a coder. Only a reader changes it.
  static func code<C: Coder & ~Copyable>(_ it: inout Self, _ coder: inout C) throws(C.Failure)
}

/// A value whose JSON is an object. `members` lists the members once. They are written in that order, and can be read only in that order.
package protocol Coded: CodedValue {
  /// Passes each member to a coder. An enum first chooses its case by the name of the next member (`Coder.choose`).
  static func members<C: Coder & ~Copyable>(_ it: inout Self, _ coder: inout C) throws(C.Failure)
}

extension Coded {
  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout Self, _ coder: inout C) throws(C.Failure) {
    let outer = try coder.open()
    try members(&it, &coder)
    try coder.close(outer)
  }
}

extension Coded {
  /// The stored form.
  package var stored: [UInt8] { JSONWriter.stored { writer in Self.write(self, &writer) } }

  /// Reads a stored form.
  package init(stored bytes: [UInt8]) throws(UnreadableFormat) {
    self = try JSONElement.reading(bytes) { element throws(UnreadableFormat) in try Self(reading: element) }
  }
}

extension CodedValue {
  /// Reads an element of stored JSON.
  package init(reading element: JSONElement) throws(UnreadableFormat) {
    self = Self.blank
    var reader = StoredReader(element)
    try Self.code(&self, &reader)
  }

  @inline(__always)
  package static func write(_ value: Self, _ writer: inout JSONWriter) {
    var value = value
    var coder = StoredWriter(writer)
    code(&value, &coder)
    writer = coder.finish()
  }
}

/// An enum that is written as its raw value.
package protocol CodedWord: CodedValue, RawRepresentable<String> {}

extension CodedWord {
  package static func code<C: Coder & ~Copyable>(_ it: inout Self, _ coder: inout C) throws(C.Failure) {
    var word = it.rawValue
    try coder.code(&word)
    guard C.reads else { return }
    if let known = Self(rawValue: word) { it = known } else { try coder.reject("an unknown word") }
  }
}

extension String: CodedValue {
  package static var blank: String { "" }

  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout String, _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}

extension Bool: CodedValue {
  package static var blank: Bool { false }

  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout Bool, _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}

extension WideInt: CodedValue {
  package static var blank: WideInt { 0 }

  /// A counter, a duration in milliseconds, or the number of an id other than a node's.
  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout WideInt, _ coder: inout C) throws(C.Failure) {
    try coder.code(&it, in: 0...State.highestNumber)
  }
}

#if !_pointerBitWidth(_64)
  extension Int: CodedValue {
    package static var blank: Int { 0 }

    package static func code<C: Coder & ~Copyable>(_ it: inout Int, _ coder: inout C) throws(C.Failure) {
      var number = WideInt(it)
      try coder.code(&number, in: 0...WideInt(State.highestCount))
      it = Int(truncatingIfNeeded: number)
    }
  }
#endif

extension Value: CodedValue {
  package static var blank: Value { .null }

  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout Value, _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}

extension Array: CodedValue where Element: CodedValue {
  package static var blank: [Element] { [] }

  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout [Element], _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}

/// An object whose member names are data, sorted by name.
extension Dictionary: CodedValue where Key == String, Value: CodedValue {
  package static var blank: [String: Value] { [:] }

  @inline(__always)
  package static func code<C: Coder & ~Copyable>(_ it: inout [String: Value], _ coder: inout C) throws(C.Failure) { try coder.code(&it) }
}
