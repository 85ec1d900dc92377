import CairnCore

/// The numbers that pass two tests, or the values of a list that do; only literals are judged.
struct TestRange {
  private var over = -Double.infinity
  private var under = Double.infinity
  private var values: [Value]?

  /// nil: neither of the tests is about an order or a list.
  init?(_ one: Guard.Test, _ other: Guard.Test) {
    guard one.isRange || other.isRange else { return nil }
    for test in [one, other] {
      switch test {
      case .over(.literal(let value)): over = max(over, value.number ?? over)
      case .under(.literal(let value)): under = min(under, value.number ?? under)
      case .among(let list): values = values.map { $0.filter(list.contains) } ?? list
      case .equals(.literal(let value)): values = values.map { $0.filter { $0 == value } } ?? [value]
      case .isTrue: values = values.map { $0.filter { $0 == true } } ?? [true]
      case .absent: values = []
      case .present, .equals, .over, .under: break
      }
    }
  }

  /// Nothing passes both.
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
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
