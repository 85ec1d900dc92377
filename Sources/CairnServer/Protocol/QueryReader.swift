import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime

/// Reads a query and notes everything that is wrong with it. `pretty` is known everywhere.
struct QueryReader {
  private let items: [Request.QueryItem]
  private var known: [String] = []
  private var faults: [Problem.Item] = []

  init(_ items: [Request.QueryItem]) { self.items = items }

  mutating func text(_ name: String) -> String? {
    guard !items.isEmpty else { return nil }
    known.append(name)
    let given = items.filter { $0.name == name }
    if given.count > 1 { fault(name, "is given twice; give it once") }
    return given.first?.value
  }

  /// A whole number within bounds.
  mutating func integer(_ name: String, _ bounds: ClosedRange<Int>) -> Int? {
    guard let text = text(name) else { return nil }
    if let number = Int(text), bounds.contains(number), !text.hasPrefix("+") { return number }
    let upper = bounds.upperBound == .max ? "on" : "to \(bounds.upperBound)"
    fault(name, "must be a whole number from \(bounds.lowerBound) \(upper)")
    return nil
  }

  /// A duration in milliseconds, at most so long.
  mutating func duration(_ name: String, upTo most: Int) -> Int? {
    guard let text = text(name) else { return nil }
    if let milliseconds = DurationText.milliseconds(text), milliseconds <= most { return milliseconds }
    fault(name, "must be a duration up to \(DurationText.written(most)), like 30s")
    return nil
  }

  /// A moment in milliseconds since 1970, with its text: in UTC as the API writes it, a day alone, or how long ago, like `30d`.
  mutating func time(_ name: String) -> (milliseconds: Int, text: String)? {
    guard let text = text(name) else { return nil }
    if let milliseconds = Timestamp(text)?.milliseconds { return (milliseconds, text) }
    if let ago = DurationText.read(text), ago <= DurationText.limit { return (Int(WallClock.now()) - Int(ago), text) }
    fault(name, "must be a time in UTC like 2024-02-29T23:59:59Z, a day like 2024-02-29, or how long ago, like 30d")
    return nil
  }

  /// `true` or `false`, also as 1 or 0; given without a value it is true.
  mutating func flag(_ name: String) -> Bool? {
    switch text(name) {
    case nil: return nil
    case "", "true", "1": return true
    case "false", "0": return false
    default:
      fault(name, "must be true or false")
      return nil
    }
  }

  mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _: Choice.Type) -> Choice? where Choice.RawValue == String {
    guard let text = text(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    fault(name, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    return nil
  }

  /// Throws all that is wrong, unknown parameters included. Call it last.
  mutating func end() throws(Rejection) {
    guard !items.isEmpty else { return }
    _ = flag("pretty")
    for item in items where !known.contains(item.name) {
      let hint = NearestName.of(item.name, among: known).map { "did you mean \($0)?" } ?? "known are \(known.joined(separator: ", "))"
      fault(item.name, "is unknown; \(hint)")
    }
    guard faults.isEmpty else {
      throw Rejection(
        .invalid, faults.count == 1 ? "a query parameter is wrong" : "\(faults.count) query parameters are wrong", errors: faults)
    }
  }

  private mutating func fault(_ name: String, _ detail: String) { faults.append(.init(detail, parameter: String(name.prefix(64)))) }
}
