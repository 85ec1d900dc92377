import CairnCore

/// The stored form of conditions, as far as `until` may contain them.
enum GuardFormat {
  /// Writes a condition as an object whose first member is its subject.
  static func write(_ condition: Guard, _ writer: inout JSONWriter) {
    writer.beginObject()
    switch condition {
    case .result(let path, let test):
      writer.name("result")
      ReferenceFormat.write(path, &writer)
      write(test, &writer)
    case .fact(let name, let test):
      writer.member("fact", name)
      write(test, &writer)
    case .all(let guards): write(guards, as: "all", &writer)
    case .any(let guards): write(guards, as: "any", &writer)
    case .not(let inner):
      writer.name("not")
      write(inner, &writer)
    // Definitions cannot contain these conditions in `until`. They are stored as a condition that never holds.
    case .param, .content, .status, .visible, .screen, .flow: write([], as: "any", &writer)
    }
    writer.endObject()
  }

  private static func write(_ guards: [Guard], as word: StaticString, _ writer: inout JSONWriter) {
    writer.name(word)
    writer.beginArray()
    for condition in guards {
      write(condition, &writer)
    }
    writer.endArray()
  }

  private static func write(_ test: Guard.Test, _ writer: inout JSONWriter) {
    switch test {
    case .isTrue: break
    case .present: writer.member("is", "present")
    case .absent: writer.member("is", "absent")
    case .equals(let expression):
      writer.name("equals")
      ExpressionFormat.write(expression, &writer)
    case .over(let expression):
      writer.name("over")
      ExpressionFormat.write(expression, &writer)
    case .under(let expression):
      writer.name("under")
      ExpressionFormat.write(expression, &writer)
    case .among(let values):
      writer.member("in", Value.array(values))
    }
  }

  /// Reads a condition that `write` has written.
  static func condition(_ element: JSONElement) throws(UnreadableFormat) -> Guard {
    var path: [String]?
    var fact: String?
    var test = Guard.Test.isTrue
    var joined: Guard?
    for (member, value) in try element.readMembers() {
      switch member {
      case "result": path = try ReferenceFormat.path(value)
      case "fact": fact = try value.readString()
      case "is": test = try value.readString() == "absent" ? .absent : .present
      case "equals": test = .equals(try ExpressionFormat.expression(value))
      case "over": test = .over(try ExpressionFormat.expression(value))
      case "under": test = .under(try ExpressionFormat.expression(value))
      case "in":
        guard case .array(let values) = value.stored else { throw value.missing("a list") }
        test = .among(values)
      case "all": joined = .all(try conditions(value))
      case "any": joined = .any(try conditions(value))
      case "not": joined = .not(try condition(value))
      default: throw member.unknown
      }
    }
    guard let found = joined ?? path.map({ .result($0, test) }) ?? fact.map({ .fact($0, test) }) else {
      throw element.missing("a condition")
    }
    return found
  }

  private static func conditions(_ value: JSONElement) throws(UnreadableFormat) -> [Guard] {
    var guards: [Guard] = []
    for element in try value.readElements() { guards.append(try condition(element)) }
    return guards
  }
}
