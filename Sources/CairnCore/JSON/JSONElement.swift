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

  /// It is `null`.
  package var isNull: Bool { token.kind == .null }

  /// Where it begins, in bytes; a string's is the one behind its quote.
  package var place: Int { Int(token.start) }

  /// How many members or elements are in it; 0 for anything else.
  package var count: Int { isObject || isArray ? Int(token.length) : 0 }

  /// The string; nil for anything else.
  package var string: String? {
    token.kind == .string ? decoded : nil
  }

  /// The integer, `1.0` and `1e3` included; nil for anything else.
  package var integer: WideInt? {
    if let whole = plainInteger { return whole }
    return if case .integer(let value) = value { value } else { nil }
  }

  /// True or false; nil for anything else.
  package var bool: Bool? {
    switch token.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// All of it. A whole number is an integer, whatever way it is written.
  package var value: Value { value(isStored: false) }

  /// The whole value. `isStored`: `JSONWriter.stored` wrote it, so a number with a fraction or an exponent was not an integer.
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

  /// The members of an object; nil for anything else.
  package var dictionary: [String: Value]? { dictionary(isStored: false) }

  /// The same with values as `value(isStored:)` gives them.
  package func dictionary(isStored: Bool) -> [String: Value]? {
    guard isObject else { return nil }
    var members = members
    // Mostly it is one. A literal makes a dictionary without looking up the type of its storage.
    if count == 1, let (name, value) = members.next() { return [name.decoded: value.value(isStored: isStored)] }
    var dictionary = [String: Value](minimumCapacity: count)
    for (name, value) in members { dictionary[name.decoded] = value.value(isStored: isStored) }
    return dictionary
  }

  /// The member of an object; nil where there is none.
  package subscript(name: StaticString) -> JSONElement? { member(name)?.value }

  /// The member of an object, and which one it is, from 0; nil where there is none.
  package func member(_ name: StaticString) -> (place: Int, value: JSONElement)? {
    guard isObject else { return nil }
    var key = index + 1
    for place in 0..<Int(token.length) {
      if at(key).isString(name) { return (place, at(key + 1)) }
      key = Int(tokens[key + 1].next)
    }
    return nil
  }

  /// Names and values of an object's members, in their order; none of anything else.
  package var members: JSONMembers { JSONMembers(self) }

  /// The elements of an array, in their order; none of anything else.
  package var elements: JSONElements { JSONElements(self) }
}
