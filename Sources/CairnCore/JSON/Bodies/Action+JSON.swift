extension Action: JSONWritable {
  /// The value of the member `deliver` of an action that the service may hold.
  package static var settledWord: StaticString { "settled" }

  /// Writes the action as a client posts it, with `true` instead of a secret.
  public func write(to writer: inout JSONWriter) {
    let row = ActionRow[kind]
    writer.beginObject()
    if row.kind != .step { writer.member("type", word: row.word) }
    let values = values
    for (place, field) in row.fields.enumerated() {
      guard var value = values[place] else { continue }
      #if !CLIENT_ENGINE
        if row.kind == .open || row.kind == .notification { value = value.withShownURLs }
      #endif
      writer.name(field.name)
      field.shape.write(value, to: &writer)
    }
    #if !CLIENT_ENGINE
      if case .settled = self { writer.member("deliver", word: Self.settledWord) }
    #endif
    writer.endObject()
  }
}

extension ActionField.Shape {
  /// Writes a value as clients read it, with ids as texts such as `n7`.
  fileprivate func write(_ value: Value, to writer: inout JSONWriter) {
    switch (self, value) {
    case (.node, .integer(let number)): writer.id(NodeID(number))
    case (.link, .integer(let number)): LinkID(number).write(to: &writer)
    case (.question, .integer(let number)): QuestionID(number).write(to: &writer)
    #if !CLIENT_ENGINE
      case (.held, .integer(let number)): HeldID(number).write(to: &writer)
    #endif
    // Writes `screen` before `params`, which is easier to read than the order by name.
    case (.routes, .array(let routes)):
      writer.beginArray()
      for route in routes {
        writer.beginObject()
        writer.member("screen", ifPresent: route["screen"])
        writer.member("params", ifPresent: route["params"])
        writer.endObject()
      }
      writer.endArray()
    default: value.write(to: &writer)
    }
  }
}

extension Action.AppState: JSONWritable {}

extension Action.Activity: JSONWritable {}
