/// A JSON value: what params, facts and content are made of.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([Value])
  case object([String: Value])

  /// Strings and names byte by byte; hashing may take for one what is only equivalent.
  public static func == (one: Value, other: Value) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.isExactly(other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one.isExactly(other)
    default: false
    }
  }

  /// The member of an object, nil for anything else.
  public subscript(member: String) -> Value? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  /// The value at the end of a path of members, nil as soon as one is missing.
  public func at(_ path: some Sequence<String>) -> Value? {
    var value = self
    for member in path {
      guard let next = value[member] else { return nil }
      value = next
    }
    return value
  }

  /// Writes at the end of a path of members, making objects on the way.
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

  /// A number as JSON gives it back: one without a fraction is an integer, so that what is stored and read again is the same.
  public static func reading(_ number: Double) -> Value { Int(exactly: number).map(Value.integer) ?? .number(number) }

  /// The word a message uses for this kind of value.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: Value] = [:]
      for key in keyed.allKeys { members[key.stringValue] = try keyed.decode(Value.self, forKey: key) }
      self = .object(members)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !list.isAtEnd { elements.append(try list.decode(Value.self)) }
      self = .array(elements)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let string = try? single.decode(String.self) {
      self = .string(string)
    } else if let integer = try? single.decode(Int.self) {
      self = .integer(integer)
    } else if let bool = try? single.decode(Bool.self) {
      self = .bool(bool)
    } else {
      self = .reading(try single.decode(Double.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var single = encoder.singleValueContainer()
      try single.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(dictionaryLiteral members: (String, Value)...) {
    self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
  }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
}
