extension Value: JSONWritable {
  /// Writes the value. Members are sorted by name, so that equal values have equal texts.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .array(let elements): writer.array(elements)
    case .object(let members): writer.object(members)
    }
  }
}
