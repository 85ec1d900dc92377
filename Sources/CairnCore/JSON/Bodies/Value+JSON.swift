extension Value: JSONWritable {
  /// Writes the value. A secret is written as `true`, except in a stored text. Members are sorted by name, so that equal values have equal texts.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .array(let elements): writer.array(elements)
    case .object(let members):
      if writer.isStored, members.count == 1, let member = members.first, Self.isMark(member.key) {
        writer.beginObject()
        writer.key("$" + member.key)
        member.value.write(to: &writer)
        writer.endObject()
      } else {
        writer.object(members)
      }
    case .sealed(let number):
      guard writer.isStored else { return writer.bool(true) }
      writer.beginObject()
      writer.key(Self.mark)
      writer.integer(number)
      writer.endObject()
    }
  }

  /// In a stored text, an object with only this member represents a secret by its number. A client's object may also have a single member
  /// `sealed` with one or more leading `$`; its stored name then gets one more `$`.
  private static let mark = "$sealed"

  /// Whether a name is `sealed` after one or more `$`.
  private static func isMark(_ name: String) -> Bool {
    guard name.utf8.first == UInt8(ascii: "$") else { return false }
    return name.utf8.drop { $0 == UInt8(ascii: "$") }.elementsEqual("sealed".utf8)
  }

  /// The value of a stored object: a secret, a client's object without the additional `$`, or the object itself.
  static func stored(_ members: [String: Value]) -> Value {
    guard members.count == 1, let member = members.first, isMark(member.key) else { return .object(members) }
    if member.key == mark, case .integer(let number) = member.value, (1...State.highestNumber).contains(number) { return .sealed(number) }
    return .object([String(member.key.dropFirst()): member.value])
  }
}
