/// Durations as people write them: a number with `ms`, `s`, `m`, `h` or `d`.
public enum DurationText {
  /// Whole milliseconds; nil if it is not such a text, or longer than the limit.
  public static func milliseconds(_ text: String) -> WideInt? { read(text).flatMap { $0 <= limit ? WideInt($0) : nil } }

  /// Milliseconds without a fraction, however many; nil if it is not such a text.
  public static func read(_ text: String) -> Double? {
    let units: [(String, Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count)
    guard let first = digits.first, first.isASCII, first.isNumber, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let number = Double(digits)
    else { return nil }
    return (number * factor).rounded()
  }

  /// A hundred years.
  public static let limit = 3_153_600_000_000.0

  /// Milliseconds as they are written: in the largest unit that divides them.
  package static func written(_ milliseconds: WideInt) -> String {
    let units: [(String, WideInt)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
    guard let (unit, size) = units.first(where: { milliseconds >= $0.1 && milliseconds % $0.1 == 0 }) else { return "\(milliseconds)ms" }
    return "\(milliseconds / size)\(unit)"
  }
}
