/// Durations in text form: a number with `ms`, `s`, `m`, `h` or `d`.
public enum DurationText {
  /// The duration in whole milliseconds; `nil` if the text is invalid or the duration exceeds `limit`.
  public static func milliseconds(_ text: String) -> WideInt? { read(text).flatMap { $0 <= limit ? WideInt($0) : nil } }

  /// The duration in whole milliseconds, without a limit; `nil` if the text is invalid.
  public static func read(_ text: String) -> Double? {
    let units: [(String, Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count)
    guard let first = digits.first, first.isASCII, first.isNumber, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let number = Double(digits)
    else { return nil }
    return (number * factor).rounded()
  }

  /// The longest valid duration: a hundred years in milliseconds.
  public static let limit = 3_153_600_000_000.0

  /// The text of a duration, in the largest unit that divides it.
  package static func written(_ milliseconds: WideInt) -> String {
    let units: [(String, WideInt)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
    guard let (unit, size) = units.first(where: { milliseconds >= $0.1 && milliseconds % $0.1 == 0 }) else { return "\(milliseconds)ms" }
    return "\(milliseconds / size)\(unit)"
  }
}
