import CairnCore

/// Conditions on the disk: those that `until` may have.
enum GuardFormat {
  /// As an object, by what it is on.
  static func write(_ condition: Guard, _ writer: inout DiskWriter) {
    writer.open("{")
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
    // No definition has another one in `until`: it never holds.
    case .param, .content, .status, .visible, .screen, .flow: write([], as: "any", &writer)
    }
    writer.close("}")
  }

  private static func write(_ guards: [Guard], as word: StaticString, _ writer: inout DiskWriter) {
    writer.name(word)
    writer.open("[")
    for condition in guards {
      writer.separate()
      write(condition, &writer)
    }
    writer.close("]")
  }

  private static func write(_ test: Guard.Test, _ writer: inout DiskWriter) {
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
      writer.write(Value.array(values))
    }
  }

  /// What `write` wrote.
  static func condition(_ reader: inout DiskReader) throws(UnreadableFormat) -> Guard {
    var path: [String]?
    var fact: String?
    var test = Guard.Test.isTrue
    var joined: Guard?
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "result": path = try ReferenceFormat.path(&reader)
      case "fact": fact = try reader.string()
      case "is": test = try reader.string() == "absent" ? .absent : .present
      case "equals": test = .equals(try ExpressionFormat.expression(&reader))
      case "over": test = .over(try ExpressionFormat.expression(&reader))
      case "under": test = .under(try ExpressionFormat.expression(&reader))
      case "in":
        guard case .array(let values) = try reader.value() else { throw reader.missing("a list") }
        test = .among(values)
      case "all": joined = .all(try conditions(&reader))
      case "any": joined = .any(try conditions(&reader))
      case "not": joined = .not(try condition(&reader))
      default: throw reader.unknown(member)
      }
    }
    guard let found = joined ?? path.map({ .result($0, test) }) ?? fact.map({ .fact($0, test) }) else {
      throw reader.missing("a condition")
    }
    return found
  }

  private static func conditions(_ reader: inout DiskReader) throws(UnreadableFormat) -> [Guard] {
    var guards: [Guard] = []
    try reader.array { reader throws(UnreadableFormat) in guards.append(try condition(&reader)) }
    return guards
  }
}
