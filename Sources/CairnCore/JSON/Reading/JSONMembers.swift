/// The names and values of an object's members, in order.
package struct JSONMembers: Sequence, IteratorProtocol {
  private var key: JSONElement
  private var rest: Int

  init(_ object: JSONElement) {
    key = object.at(object.index + 1)
    rest = object.isObject ? object.count : 0
  }

  /// Whether all members have been returned.
  package var isEmpty: Bool { rest == 0 }

  /// The name of the next member; `nil` at the end.
  var nextName: JSONElement? { rest > 0 ? key : nil }

  /// The value of the next member if it has this name. Otherwise `nil`, and the next member is still unread.
  @inline(__always)
  mutating func take(_ name: StaticString) -> JSONElement? {
    guard rest > 0, key.isString(name) else { return nil }
    return next()?.value
  }

  package mutating func next() -> (name: JSONElement, value: JSONElement)? {
    guard rest > 0 else { return nil }
    rest -= 1
    let (name, value) = (key, key.at(key.index + 1))
    key = value.at(Int(value.token.next))
    return (name, value)
  }
}

/// The elements of an array, in order.
package struct JSONElements: Sequence, IteratorProtocol {
  private var element: JSONElement
  private var rest: Int

  init(_ array: JSONElement) {
    element = array.at(array.index + 1)
    rest = array.isArray ? array.count : 0
  }

  package mutating func next() -> JSONElement? {
    guard rest > 0 else { return nil }
    rest -= 1
    defer { element = element.at(Int(element.token.next)) }
    return element
  }
}
