/// A duration as the API writes it: a number with `ms`, `s`, `m`, `h` or `d`.
package enum DurationText {
  private static let units = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]

  /// Whole milliseconds; nil for anything else, a negative or an endless duration included.
  package static func milliseconds(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let unit = units[String(text[digits.endIndex...])] else { return nil }
    if let whole = Int(digits) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
      return overflow ? nil : product
    }
    guard digits.first != ".", digits.last != ".", let number = Double(digits) else { return nil }
    return Int(exactly: (number * Double(unit)).rounded())
  }
}
