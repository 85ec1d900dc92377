// Times and durations come from clients and from what was stored: no sum of them may trap.
extension WideInt {
  /// The sum, or the bound that it goes beyond.
  package func addingSaturated(_ other: WideInt) -> WideInt {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the bound that it goes beyond.
  package func subtractingSaturated(_ other: WideInt) -> WideInt {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the bound that it goes beyond.
  package func multipliedSaturated(by other: WideInt) -> WideInt {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
