extension Value {
  /// The sum of two numbers; `nil` if a value is not a number, or if the sum is out of range.
  func adding(_ other: Value?) -> Value? {
    if case .integer(let a) = self, case .integer(let b)? = other {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? nil : .integer(sum)
    }
    guard let a = double, let b = other?.double, (a + b).isFinite else { return nil }
    return .reading(a + b)
  }

  private var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
