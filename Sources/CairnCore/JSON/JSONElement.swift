/// A value in a `JSONDocument`, converted on access. Only valid within `JSONDocument.read`.
package struct JSONElement {
  let text: UnsafePointer<UInt8>
  let tokens: UnsafePointer<JSONToken>
  let index: Int

  /// The value's first token.
  var token: JSONToken { tokens[index] }
}

extension JSONElement {
  /// Whether the value is an object.
  package var isObject: Bool { token.kind == .object }

  /// Whether the value is an array.
  package var isArray: Bool { token.kind == .array }

  /// Whether the value is `null`.
  package var isNull: Bool { token.kind == .null }

  /// The offset of the value in bytes; of a string, that of the byte behind its quote.
  package var place: Int { Int(token.start) }

  /// The number of members or elements; 0 for any other value.
  package var count: Int { isObject || isArray ? Int(token.length) : 0 }

  /// The string; `nil` for any other value.
  package var string: String? {
    token.kind == .string ? decoded : nil
  }

  /// The integer, also if written as `1.0` or `1e3`; `nil` for any other value.
  package var integer: WideInt? {
    if let whole = plainInteger { return whole }
    return if case .integer(let value) = value { value } else { nil }
  }

  /// The boolean; `nil` for any other value.
  package var bool: Bool? {
    switch token.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// The whole value. Numbers without a fraction become integers, however they are written.
  package var value: Value { value(isStored: false) }

  /// The whole value. `isStored` is set for texts of `JSONWriter.stored`, in which numbers with a fraction or an exponent were not integers.
  package func value(isStored: Bool) -> Value {
    switch token.kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .string: return .string(decoded)
    case .number: return number(isStored: isStored)
    case .array: return .array(elements.map { $0.value(isStored: isStored) })
    case .object: return .object(dictionary(isStored: isStored) ?? [:])
    }
  }

  /// The members of an object; `nil` for any other value.
  package var dictionary: [String: Value]? { dictionary(isStored: false) }

  /// The members of an object, converted with `value(isStored:)`; `nil` for any other value.
  package func dictionary(isStored: Bool) -> [String: Value]? {
    guard isObject else { return nil }
    var members = members
    // In most cases there is one member. A literal creates the dictionary without a lookup of its storage's type.
    if count == 1, let (name, value) = members.next() { return [name.decoded: value.value(isStored: isStored)] }
    var dictionary = [String: Value](minimumCapacity: count)
    for (name, value) in members { dictionary[name.decoded] = value.value(isStored: isStored) }
    return dictionary
  }

  /// The member of an object; `nil` if there is none.
  package subscript(name: StaticString) -> JSONElement? { member(name)?.value }

  /// The member of an object, and its index, from 0; `nil` if there is none.
  package func member(_ name: StaticString) -> (place: Int, value: JSONElement)? {
    guard isObject else { return nil }
    var key = index + 1
    for place in 0..<Int(token.length) {
      if at(key).isString(name) { return (place, at(key + 1)) }
      key = Int(tokens[key + 1].next)
    }
    return nil
  }

  /// The names and values of an object's members, in order; empty for any other value.
  package var members: JSONMembers { JSONMembers(self) }

  /// The elements of an array, in order; empty for any other value.
  package var elements: JSONElements { JSONElements(self) }
}
