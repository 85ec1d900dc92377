// Saturating arithmetic. Times and durations come from clients and from the disk, so their sums must not trap.
extension WideInt {
  /// The sum, or the nearest representable value.
  package func addingSaturated(_ other: WideInt) -> WideInt {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest representable value.
  package func subtractingSaturated(_ other: WideInt) -> WideInt {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearest representable value.
  package func multipliedSaturated(by other: WideInt) -> WideInt {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
