import CairnCore

/// The query of a path.
struct Query {
  /// The query with its question mark, or an empty string without parameters.
  let text: String

  /// Creates a query. A parameter with an empty value is written without `=`. A parameter whose value is `nil` is omitted.
  init(_ parameters: [(name: String, value: String?)]) {
    let given = parameters.compactMap { name, value in value.map { $0.isEmpty ? name : "\(name)=\(PercentCoding.encode($0))" } }
    text = given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }
}

extension String {
  /// The text as one segment of a path.
  var segment: String { PercentCoding.encode(self) }
}
