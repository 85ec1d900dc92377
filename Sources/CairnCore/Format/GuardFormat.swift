/// The stored form of conditions.
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
    case .param(let name, let test):
      writer.member("param", name)
      write(test, &writer)
    case .content(let path, let test, let of):
      writer.name("content")
      ReferenceFormat.write(path, &writer)
      if let of { writer.member("of", of) }
      write(test, &writer)
    case .status(let status, let of):
      writer.member("status", NodeFormat.word(status))
      if let of { writer.member("of", of) }
    case .visible(let screens, let with): write(screens, with, as: "visible", &writer)
    case .screen(let screens, let with): write(screens, with, as: "screen", &writer)
    case .flow(let name): writer.member("flow", name)
    }
    writer.endObject()
  }

  private static func write(_ screens: [String], _ with: [String: Expression], as word: StaticString, _ writer: inout JSONWriter) {
    writer.name(word)
    writer.array(screens)
    guard !with.isEmpty else { return }
    writer.name("with")
    TemplateFormat.write(with, &writer)
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
      writer.name("in")
      SetFormat.write(values, &writer)
    }
  }

  /// Reads a condition that `write` has written. `sets` are the sets to which it may refer.
  static func condition(_ element: JSONElement, _ sets: ValueSets = [:]) throws(UnreadableFormat) -> Guard {
    var parts = GuardParts(sets: sets)
    for (member, value) in try element.readMembers() { try parts.read(member, value) }
    guard let condition = parts.condition else { throw element.missing("a condition") }
    return condition
  }

  fileprivate static func conditions(_ value: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> [Guard] {
    var guards: [Guard] = []
    for element in try value.readElements() { guards.append(try condition(element, sets)) }
    return guards
  }
}

/// The members of all conditions.
private struct GuardParts {
  /// The subject: for most conditions the only member that identifies their kind.
  private enum Subject {
    case result([String]), content([String]), fact(String), param(String), flow(String), status(ContentStatus)
    case visible([String]), screen([String])
    case joined(Guard)
  }

  let sets: ValueSets
  private var subject: Subject?
  private var test = Guard.Test.isTrue
  private var of: String?
  private var with: [String: Expression] = [:]

  init(sets: ValueSets) { self.sets = sets }

  var condition: Guard? {
    switch subject {
    case .result(let path): .result(path, test)
    case .content(let path): .content(path, test, of: of)
    case .fact(let name): .fact(name, test)
    case .param(let name): .param(name, test)
    case .flow(let name): .flow(name)
    case .status(let status): .status(status, of: of)
    case .visible(let screens): .visible(screens, with: with)
    case .screen(let screens): .screen(screens, with: with)
    case .joined(let condition): condition
    case nil: nil
    }
  }

  mutating func read(_ member: JSONElement, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "result": subject = .result(try ReferenceFormat.path(value))
    case "content": subject = .content(try ReferenceFormat.path(value))
    case "fact": subject = .fact(try value.readString())
    case "param": subject = .param(try value.readString())
    case "flow": subject = .flow(try value.readString())
    case "status":
      guard let status = NodeFormat.contentStatus(try value.readString()) else { throw value.fault("an unknown status") }
      subject = .status(status)
    case "visible": subject = .visible(try ReferenceFormat.path(value))
    case "screen": subject = .screen(try ReferenceFormat.path(value))
    case "all": subject = .joined(.all(try GuardFormat.conditions(value, sets)))
    case "any": subject = .joined(.any(try GuardFormat.conditions(value, sets)))
    case "not": subject = .joined(.not(try GuardFormat.condition(value, sets)))
    case "of": of = try value.readString()
    case "with": with = try TemplateFormat.members(value)
    case "is": test = try value.readString() == "absent" ? .absent : .present
    case "equals": test = .equals(try ExpressionFormat.expression(value))
    case "over": test = .over(try ExpressionFormat.expression(value))
    case "under": test = .under(try ExpressionFormat.expression(value))
    case "in": test = .among(try SetFormat.values(value, sets))
    default: throw member.unknown
    }
  }
}
