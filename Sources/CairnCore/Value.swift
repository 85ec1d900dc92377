/// A value of a param, fact or content: a JSON value, or a sealed secret.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(WideInt)
  case number(Double)
  case string(String)
  case array([Value])
  case object([String: Value])
  /// A secret, represented by a number from which the secret cannot be derived. The store keeps the secret's text encrypted; clients receive `true`.
  case sealed(WideInt)

  /// Compares strings and member names byte by byte. Canonically equivalent strings with different bytes are unequal, although their hashes are equal.
  public static func == (one: Value, other: Value) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.isExactly(other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one.isExactly(other)
    case (.sealed(let one), .sealed(let other)): one == other
    default: false
    }
  }

  /// The member of an object; `nil` if there is no such member or the value is not an object.
  public subscript(member: String) -> Value? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  /// The value at the end of a path of members; `nil` if a member is missing, or if a value before the end of the path is not an object.
  public func at(_ path: some Sequence<String>) -> Value? {
    var value = self
    for member in path {
      guard let next = value[member] else { return nil }
      value = next
    }
    return value
  }

  /// Sets the value at the end of a path of members. Creates missing objects on the path, and replaces values that are not objects.
  public mutating func set(_ value: Value, at path: some Collection<String>) {
    guard let first = path.first else {
      self = value
      return
    }
    var members: [String: Value] = if case .object(let present) = self { present } else { [:] }
    var inner = members[first] ?? .object([:])
    inner.set(value, at: path.dropFirst())
    members[first] = inner
    self = .object(members)
  }

  /// Removes the member at the end of a path of members, if it exists.
  mutating func remove(at path: ArraySlice<String>) {
    guard let first = path.first, case .object(var members) = self, var inner = members[first] else { return }
    if path.count > 1 {
      inner.remove(at: path.dropFirst())
      members[first] = inner
    } else {
      members[first] = nil
    }
    self = .object(members)
  }

  /// The number in the form that it has after a round trip through JSON: a number without a fraction becomes an integer.
  public static func reading(_ number: Double) -> Value { WideInt(exactly: number).map(Value.integer) ?? .number(number) }

  /// The name of this kind of value in messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    case .sealed: "secret"
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: WideInt) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(dictionaryLiteral members: (String, Value)...) {
    var object = [String: Value](minimumCapacity: members.count)
    for (name, value) in members { object[name] = value }
    self = .object(object)
  }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
}
