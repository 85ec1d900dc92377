import CairnCore
import CairnServer

/// Parses the text of a setting and stores the result in a property of the configuration.
struct SettingValue: Sendable {
  /// A property of the configuration.
  typealias Target<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// The allowed values, for messages: "a whole number from 1 to 64".
  let expected: String
  /// Parses a text and stores the value. Returns `false` if the text is not allowed. `source` is the flag, variable or line that sets it.
  let store: @Sendable (_ text: String, _ source: String, inout Configuration) -> Bool

  init<Value: Sendable>(
    _ expected: String, _ target: Target<Value>, _ parse: @escaping @Sendable (String) -> Value?
  ) {
    self.expected = expected
    store = { text, _, configuration in
      guard let value = parse(text) else { return false }
      configuration[keyPath: target] = value
      return true
    }
  }

  /// A setting whose value is any text. The text is stored with its source.
  static func sourced(_ target: Target<(text: String, source: String)?>) -> SettingValue {
    SettingValue(expected: "a text") { text, source, configuration in
      configuration[keyPath: target] = (text, source)
      return true
    }
  }

  /// A setting whose value is a nonempty text.
  static func text(_ expected: String, _ target: Target<String>) -> SettingValue {
    SettingValue(expected, target) { $0.isEmpty ? nil : $0 }
  }

  /// A text setting that may be unset.
  static func optionalText(_ target: Target<String?>) -> SettingValue {
    SettingValue("a text", target) { .some($0) }
  }

  /// A setting whose value is `true` or `false`.
  static func bool(_ target: Target<Bool>) -> SettingValue {
    SettingValue("true or false", target, Bool.init)
  }

  /// A setting whose value is a whole number. The stored value is this number times `1 << shift`. `unit` is the unit's name in messages.
  static func number(
    _ range: ClosedRange<Int>, unit: String? = nil, shift: Int = 0, expected: String? = nil,
    _ target: Target<Int>
  ) -> SettingValue {
    SettingValue(expected ?? "a whole number\(unit.map { " of \($0)" } ?? "") from \(range.lowerBound) to \(range.upperBound)", target) {
      wholeNumber($0, range).map { $0 << shift }
    }
  }

  /// A setting whose value is a whole number up to 1000000; 0 means no limit.
  static func unlessZero(_ target: Target<Int>) -> SettingValue {
    number(0...1_000_000, expected: "a whole number from 0 (no limit) to 1000000", target)
  }

  /// A setting whose value is a duration in a range. The range and the stored value are in milliseconds.
  static func milliseconds(
    _ range: ClosedRange<Int>, _ expected: String, _ target: Target<Int>
  ) -> SettingValue {
    SettingValue(expected, target) { DurationText.milliseconds($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// A setting whose value is a duration in a range. The range is in milliseconds.
  static func duration(
    _ range: ClosedRange<Int>, _ expected: String, _ target: Target<Duration>
  ) -> SettingValue {
    SettingValue(expected, target) { DurationText.milliseconds($0).flatMap { range.contains($0) ? .milliseconds($0) : nil } }
  }

  /// A setting whose value is the maximum time for a part of a request, from 100 ms to 1 h.
  static func timeout(_ target: Target<Duration>) -> SettingValue {
    duration(100...3_600_000, "a time such as 10s or 500ms, from 100ms to 1h", target)
  }

  /// A setting whose value is a rate; `off` and `0` mean no limit.
  static func rate(_ target: Target<Rate?>) -> SettingValue {
    SettingValue("off, or a rate such as 100/s, 600/m or 50/h", target) { text -> Rate?? in
      text == "off" || text == "0" ? .some(nil) : Rate(text).map(Optional.some)
    }
  }

  /// Parses a whole number. Returns `nil` if the text is not a whole number in the range.
  static func wholeNumber(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private init(expected: String, store: @escaping @Sendable (String, String, inout Configuration) -> Bool) {
    self.expected = expected
    self.store = store
  }
}
