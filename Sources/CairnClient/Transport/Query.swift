import CairnCore

/// The query of a path.
struct Query {
  /// With its question mark; empty without parameters.
  let text: String

  /// Parameters with an empty value stand without `=`; those without a value are left out.
  init(_ parameters: [(name: String, value: String?)]) {
    let given = parameters.compactMap { name, value in value.map { $0.isEmpty ? name : "\(name)=\(PercentCoding.encode($0))" } }
    text = given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }
}

extension String {
  /// The text as one segment of a path.
  var segment: String { PercentCoding.encode(self) }
}
