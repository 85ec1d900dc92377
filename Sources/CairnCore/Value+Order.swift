extension Value {
  /// Whether both values are numbers and this number is less than `other`.
  package func isLess(than other: Value?) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)?): one < other
    case (.integer(let one), .number(let other)?): Double(one) < other
    case (.number(let one), .integer(let other)?): one < Double(other)
    case (.number(let one), .number(let other)?): one < other
    default: false
    }
  }

  /// Whether both values are numbers and this number is greater than `other`.
  package func isMore(than other: Value?) -> Bool { other?.isLess(than: self) ?? false }
}
