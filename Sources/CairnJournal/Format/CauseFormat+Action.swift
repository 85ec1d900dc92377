import CairnCore

extension CauseFormat {
  /// Writes the action's kind, unless it is a step, and its fields under their stored names.
  static func write(_ action: Action, _ writer: inout JSONWriter) {
    let row = ActionRow[action.kind]
    writer.beginObject()
    if row.kind != .step { writer.member("type", word: row.stored) }
    let values = action.values
    for (place, field) in row.fields.enumerated() {
      guard let stored = field.stored, let value = values[place] else { continue }
      writer.name(stored)
      // Nodes are stored as numbers, and links as their ids with a letter.
      if case .link = field.shape, case .integer(let number) = value {
        writer.string(LinkID(number).description)
      } else {
        value.write(to: &writer)
      }
    }
    if case .settled = action { writer.member("deliver", word: Action.settledWord) }
    writer.endObject()
  }

  static func action(_ element: JSONElement) throws(UnreadableFormat) -> Action {
    guard element.isObject else { throw element.fault("not an object") }
    let type = element.member("type")
    guard let kind = type.map({ Action.Kind(stored: $0.value) }) ?? .step else { throw element.fault("not an action") }
    var values = ActionValues()
    var read = type == nil ? 0 : 1
    for (place, field) in ActionRow[kind].fields.enumerated() {
      guard let stored = field.stored, let (_, member) = element.member(stored) else { continue }
      values[place] = try value(member, of: field.shape)
      read += 1
    }
    let deliver = element.member("deliver")?.value
    if let deliver {
      guard deliver.isString(Action.settledWord) else { throw deliver.fault("an unknown word") }
      read += 1
    }
    guard read == element.count else { throw unknownMember(of: element, kind) }
    guard let action = Action(kind, values) else { throw element.fault("not an action") }
    return deliver == nil ? action : .settled(action)
  }

  private static func value(_ element: JSONElement, of shape: ActionField.Shape) throws(UnreadableFormat) -> Value {
    switch shape {
    case .text, .line, .token, .url: .string(try element.readString())
    case .flag: .bool(try element.readBool())
    // The end of a held link is an effect with a negative number, so negative numbers are valid.
    case .integer: .integer(try element.readInteger(within: State.highestNumber))
    // The field `due` of an effect's action has the shape `.time`, but contains the number of a tick.
    case .time, .duration: .integer(try element.readNumber())
    case .node: .integer(try element.readNode().number)
    case .link: .integer(try element.readLink().number)
    case .question, .held: .integer(try element.readInteger(within: State.highestNumber))
    case .word(let words):
      if let word = words.first(where: { $0 == element.string }) { .string(word) } else { throw element.fault("an unknown word") }
    case .value: element.stored
    case .values: .object(try element.readValues())
    case .routes: .array(try routes(element))
    }
  }

  private static func routes(_ element: JSONElement) throws(UnreadableFormat) -> [Value] {
    var routes: [Value] = []
    for element in try element.readElements() {
      var route = Action.Route("")
      for (member, value) in try element.readMembers() {
        switch member {
        case "screen": route.screen = try value.readString()
        case "params": route.params = try value.readValues()
        default: throw member.unknown
        }
      }
      routes.append(route.value)
    }
    return routes
  }

  private static func unknownMember(of element: JSONElement, _ kind: Action.Kind) -> UnreadableFormat {
    let known = ActionRow[kind].fields.compactMap(\.stored)
    let unknown = element.members.first { name, _ in !name.isString("type") && !known.contains { name.isString($0) } }
    return unknown?.name.unknown ?? element.fault("not an action")
  }
}
