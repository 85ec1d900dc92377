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

  /// The number with the opposite sign; `nil` if the value is not a number, or if the result is out of range.
  var negated: Value? {
    switch self {
    case .integer(let value): value == .min ? nil : .integer(-value)
    case .number(let value): .number(-value)
    default: nil
    }
  }

  /// The number of elements of a list or of members of an object; `nil` for other values.
  var elementCount: Int? {
    switch self {
    case .array(let elements): elements.count
    case .object(let members): members.count
    default: nil
    }
  }

  private var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
