import CairnCore

extension Value {
  /// Formatted JSON with two spaces per level and members sorted by name. A value that fits into 120 columns is written on one line.
  var indentedText: String { indentedText(after: "") }

  private func indentedText(after margin: String) -> String {
    let short = spacedText
    if margin.count + short.count <= 120 { return short }
    let inner = margin + "  "
    switch self {
    case .array(let elements):
      return "[\n" + elements.map { inner + $0.indentedText(after: inner) }.joined(separator: ",\n") + "\n\(margin)]"
    case .object(let members):
      let lines = members.sortedByKey.map { name, value in
        "\(inner)\(Value.string(name).canonicalText): \(value.indentedText(after: inner))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(margin)}"
    case .null, .bool, .integer, .number, .string, .sealed: return short
    }
  }

  private var spacedText: String {
    switch self {
    case .array(let elements): "[" + elements.map(\.spacedText).joined(separator: ", ") + "]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members):
      "{ "
        + members.sortedByKey.map { "\(Value.string($0.key).canonicalText): \($0.value.spacedText)" }
        .joined(separator: ", ") + " }"
    case .null, .bool, .integer, .number, .string, .sealed: canonicalText
    }
  }
}
