import CairnAPI
import CairnCore
import CairnRuntime

/// A parameter of a query. The same value parses the parameter and describes it in the document.
struct Parameter<Read: Sendable>: DescribedParameter {
  let name: String
  let schema: Schema
  /// The text after "must be" in the message about an invalid value.
  let expected: String
  /// Whether the text may contain tabs and line breaks.
  var allowsLines = false
  /// Parses the text of the parameter. Returns `nil` if the text is invalid.
  let convert: @Sendable (String) -> Read?

  init(_ name: String, _ expected: String, _ schema: Schema, _ about: String, _ convert: @escaping @Sendable (String) -> Read?) {
    (self.name, self.expected, self.convert) = (name, expected, convert)
    self.schema = about.isEmpty ? schema : schema.about(about)
  }
}

/// A query parameter whose value may have any type.
protocol DescribedParameter: Sendable {
  var name: String { get }
  var schema: Schema { get }
}

extension Schema {
  /// A copy of the schema for text that may have several lines, but no other control characters.
  var inLines: Schema { with("pattern", .string(#"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$"#)) }
}

extension Parameter<String> {
  static func text(_ name: String, _ about: String) -> Parameter {
    Parameter(name, "a text", .text(like: #"^[^\u0000-\u001f\u007f]*$"#), about) { $0 }
  }

  /// A parameter with a text that may have several lines.
  static func lines(_ name: String, _ about: String) -> Parameter {
    var parameter = Parameter(name, "a text", .text.inLines, about) { $0 }
    parameter.allowsLines = true
    return parameter
  }
}

extension Parameter<Int> {
  /// A parameter with an integer within bounds.
  static func integer(_ name: String, _ bounds: ClosedRange<Int>, _ about: String) -> Parameter {
    let range = bounds.upperBound == .max ? "of at least \(bounds.lowerBound)" : "from \(bounds.lowerBound) to \(bounds.upperBound)"
    let schema = Schema.whole(from: bounds.lowerBound, to: bounds.upperBound)
    return Parameter(name, "a whole number \(range)", schema, about) { text in
      Int(text).flatMap { bounds.contains($0) && !text.hasPrefix("+") ? $0 : nil }
    }
  }
}

extension Parameter<Int> {
  /// A parameter with a duration in seconds or milliseconds, of at most a minute.
  static func wait(_ name: String, _ about: String) -> Parameter {
    let most = LongPoll.most
    let expected = "a duration up to \(DurationText.written(most)), like 30s"
    return Parameter(name, expected, Schema.text(like: "^(([0-5]?[0-9]|60)s|([0-5]?[0-9]{1,4}|60000)ms)$"), about) { text in
      let unit = text.hasSuffix("ms") ? 1 : 1_000
      let digits = text.dropLast(unit == 1 ? 2 : 1)
      guard text.hasSuffix("s"), (1...(unit == 1 ? 5 : 2)).contains(digits.utf8.count),
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      return Int(digits).map { $0 * unit }.flatMap { $0 <= most ? $0 : nil }
    }
  }
}

extension Parameter<Bool> {
  /// A parameter with a Boolean: `true`, `false`, `1` or `0`. A parameter that is given without a value is true.
  static func flag(_ name: String, _ about: String) -> Parameter {
    Parameter(name, "true or false", .words(["true", "false", "1", "0", ""]), about) { text in
      switch text {
      case "", "true", "1": true
      case "false", "0": false
      default: nil
      }
    }
  }
}

extension Parameter<Moment> {
  /// A parameter with a UTC timestamp, a date, or an age such as `30d`.
  static func time(_ name: String, _ about: String) -> Parameter {
    let days = #"(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"#
    let schema = Schema.text(
      like: "^(\(days)(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z)?|[0-9]{1,4}(ms|s|m|h|d))$")
    return Parameter(
      name, "a time in UTC like 2024-02-29T23:59:59Z, a day like 2024-02-29, or an age like 30d", schema, about, Moment.init)
  }
}

extension Parameter where Read: RawRepresentable & CaseIterable & SendableMetatype, Read.RawValue == String {
  /// A parameter with one of a fixed set of words.
  static func choice(_ name: String, _ about: String) -> Parameter {
    let words = Read.allCases.map(\.rawValue)
    return Parameter(name, "one of \(words.joined(separator: ", "))", .words(words), about) { Read(rawValue: $0) }
  }
}
