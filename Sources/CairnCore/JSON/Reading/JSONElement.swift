/// A value inside a `JSONDocument`, converted on request. Valid only inside `JSONDocument.read`.
package struct JSONElement {
  let text: UnsafePointer<UInt8>
  let tokens: UnsafePointer<JSONToken>
  let index: Int

  var token: JSONToken { tokens[index] }
}

extension JSONElement {
  /// Whether the element is an object.
  package var isObject: Bool { token.kind == .object }

  /// Whether the element is an array.
  package var isArray: Bool { token.kind == .array }

  /// Whether the element is `null`.
  package var isNull: Bool { token.kind == .null }

  /// The offset of the element in bytes. For a string, the offset after its opening quote.
  package var place: Int { Int(token.start) }

  /// The number of members or elements; 0 for other values.
  package var count: Int { isObject || isArray ? Int(token.length) : 0 }

  /// The string; `nil` for other values.
  package var string: String? {
    token.kind == .string ? decoded : nil
  }

  /// The integer, also in the notations `1.0` and `1e3`; `nil` for other values.
  package var integer: WideInt? {
    if let whole = plainInteger { return whole }
    return if case .integer(let value) = value { value } else { nil }
  }

  /// The boolean; `nil` for other values.
  package var bool: Bool? {
    switch token.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// The whole value. A whole number is an integer in any notation.
  package var value: Value { value(isStored: false) }

  /// The whole value. `isStored` means that `JSONWriter.stored` wrote the text, in which a number with a fraction or exponent is not an integer.
  package func value(isStored: Bool) -> Value {
    switch token.kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .string: return .string(decoded)
    case .number: return number(isStored: isStored)
    case .array: return .array(elements.map { $0.value(isStored: isStored) })
    case .object:
      let members = dictionary(isStored: isStored) ?? [:]
      return isStored ? Value.stored(members) : .object(members)
    }
  }

  /// The members of an object; `nil` for other values.
  package var dictionary: [String: Value]? { dictionary(isStored: false) }

  /// The members of an object with values as returned by `value(isStored:)`; `nil` for other values.
  package func dictionary(isStored: Bool) -> [String: Value]? {
    guard isObject else { return nil }
    var members = members
    // Most objects have one member. A dictionary literal avoids the lookup of the storage's type.
    if count == 1, let (name, value) = members.next() { return [name.decoded: value.value(isStored: isStored)] }
    var dictionary = [String: Value](minimumCapacity: count)
    for (name, value) in members { dictionary[name.decoded] = value.value(isStored: isStored) }
    return dictionary
  }

  /// The member of an object; `nil` if there is none.
  package subscript(name: StaticString) -> JSONElement? { member(name)?.value }

  /// The member of an object and its index from 0; `nil` if there is none.
  package func member(_ name: StaticString) -> (place: Int, value: JSONElement)? {
    guard isObject else { return nil }
    var key = index + 1
    for place in 0..<Int(token.length) {
      if at(key).isString(name) { return (place, at(key + 1)) }
      key = Int(tokens[key + 1].next)
    }
    return nil
  }

  /// The names and values of an object's members in order; empty for other values.
  package var members: JSONMembers { JSONMembers(self) }

  /// The elements of an array in order; empty for other values.
  package var elements: JSONElements { JSONElements(self) }
}
