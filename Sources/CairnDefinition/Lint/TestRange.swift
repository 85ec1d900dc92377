import CairnCore

/// The values that fulfill two tests: a range of numbers, or a list. Only literals are compared.
struct TestRange {
  private var over = -Double.infinity
  private var under = Double.infinity
  private var values: [Value]?

  /// Returns `nil` if neither test compares by order or with a list.
  init?(_ one: Guard.Test, _ other: Guard.Test) {
    guard one.isRange || other.isRange else { return nil }
    for test in [one, other] {
      switch test {
      case .over(.literal(let value)): over = max(over, value.number ?? over)
      case .under(.literal(let value)): under = min(under, value.number ?? under)
      case .among(let list): values = values.map { $0.filter(list.contains) } ?? list.values
      case .equals(.literal(let value)): values = values.map { $0.filter { $0 == value } } ?? [value]
      case .isTrue: values = values.map { $0.filter { $0 == true } } ?? [true]
      case .absent: values = []
      case .present, .equals, .over, .under: break
      }
    }
  }

  /// Whether no value fulfills both tests.
  var isEmpty: Bool {
    let isBounded = over > -.infinity || under < .infinity
    guard let values else { return isBounded && over >= under }
    return !values.contains { value in !isBounded || value.number.map { $0 > over && $0 < under } ?? false }
  }
}

extension Guard.Test {
  fileprivate var isRange: Bool {
    switch self {
    case .over, .under, .among: true
    case .isTrue, .present, .absent, .equals: false
    }
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object, .sealed: nil
    }
  }
}
