/// Durations as people write them: a number with `ms`, `s`, `m`, `h` or `d`.
public enum DurationText {
  /// Milliseconds; nil if it is not such a text, or not between 0 and a hundred years.
  public static func milliseconds(_ text: String) -> Int? {
    let units: [(String, Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count)
    guard let first = digits.first, first.isASCII, first.isNumber, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let number = Double(digits)
    else { return nil }
    let milliseconds = (number * factor).rounded()
    return milliseconds <= limit ? Int(milliseconds) : nil
  }

  /// A hundred years.
  private static let limit = 3_153_600_000_000.0
}
