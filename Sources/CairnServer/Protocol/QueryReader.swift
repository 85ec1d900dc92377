import CairnAPI
import CairnCore
import CairnHTTP

/// Reads a query and collects all errors in it. Every endpoint accepts the parameter `pretty`.
struct QueryReader {
  private let items: [Request.QueryItem]
  private var known: [String] = []
  private var faults: [Problem.Item] = []

  init(_ items: [Request.QueryItem]) { self.items = items }

  /// Returns the value of a parameter; `nil` if it is missing or invalid. A value that cannot be converted, or a parameter that is given
  /// twice, is recorded as an error.
  mutating func read<Result>(_ known: @autoclosure () -> Parameter<Result>) -> Result? {
    guard !items.isEmpty else { return nil }
    let parameter = known()
    self.known.append(parameter.name)
    let given = items.filter { $0.name == parameter.name }
    if given.count > 1 { fault(parameter.name, "is given more than once; give it only once") }
    guard let text = given.first?.value else { return nil }
    guard parameter.allowsLines || text.utf8.allSatisfy({ $0 >= 0x20 }) else {
      fault(parameter.name, "must not contain tabs or line breaks")
      return nil
    }
    if let result = parameter.convert(text) { return result }
    fault(parameter.name, "must be \(parameter.expected)")
    return nil
  }

  /// Throws if errors were collected or the query contains unknown parameters. Must be called last.
  mutating func end() throws(Rejection) {
    guard !items.isEmpty else { return }
    _ = read(Query.pretty)
    for item in items where !known.contains(item.name) {
      let hint =
        NearestName.of(item.name, among: known).map { "did you mean \($0)?" } ?? "the parameters are \(known.joined(separator: ", "))"
      fault(item.name, "is unknown; \(hint)")
    }
    guard faults.isEmpty else {
      throw Rejection(
        .invalid, faults.count == 1 ? "a query parameter is invalid" : "\(faults.count) query parameters are invalid", errors: faults)
    }
  }

  private mutating func fault(_ name: String, _ detail: String) { faults.append(.init(detail, parameter: String(name.prefix(64)))) }
}
