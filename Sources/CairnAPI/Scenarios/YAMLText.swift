package import CairnCore

/// Writes values in YAML's flow style on one line. A string that plain style could change is quoted as in JSON.
package enum YAMLText {
  /// Returns text such as `{ a: 1, b: [x, "y z"] }`, with the members sorted by name.
  package static func flow(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .string(let text): scalar(text)
    case .array(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
    // A placeholder instead of the secret, so that an exported step can be posted again.
    case .sealed: scalar(Happening.placeholder)
    case .object(let members): flow(members.sortedByKey.map { ($0.key, flow($0.value)) })
    }
  }

  /// Returns a map whose values are already YAML, in the given order.
  package static func flow(_ members: [(name: String, text: String)]) -> String {
    members.isEmpty ? "{}" : "{ \(members.map { "\(scalar($0.name)): \($0.text)" }.joined(separator: ", ")) }"
  }

  /// Returns a map that begins with the member `name`, because the first member identifies the kind of a scenario's line.
  package static func map(first name: String, _ members: [String: Value]) -> String {
    let others = members.filter { $0.key != name }.sortedByKey
    return flow(([(name, members[name] ?? .null)] + others.map { ($0.key, $0.value) }).map { ($0.0, flow($0.1)) })
  }

  /// Returns a string in plain style if YAML cannot read it as another value, and in quotes otherwise.
  package static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// Returns a string in quotes. Numeric escapes replace unprintable characters, line ends, characters that a terminal interprets or hides,
  /// and characters that change the direction of text.
  package static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { quoted, scalar in
      switch scalar.value {
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      case _ where isShown(scalar): quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        let (escape, width) = scalar.value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
        quoted += escape + String(repeating: "0", count: width - digits.count) + digits
      }
    } + "\""
  }

  /// Whether the character is written unescaped. The joiners (U+200C, U+200D) are the only unescaped format characters, because they
  /// connect letters.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: scalar.value != 0xA0
    }
  }

  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), !words.contains(text.lowercased()) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._-".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80 }
}
