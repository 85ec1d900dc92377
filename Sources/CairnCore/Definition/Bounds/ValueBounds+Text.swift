extension ValueBounds {
  /// The rule that a value violates, as the end of a sentence ("must be …"); `nil` if the value is within the bounds.
  func fault(of value: Value) -> String? {
    if allows(value) { return nil }
    guard case .string(let text) = value else { return "must be \(Self.range(min, max)), not \(value.shortText)" }
    if let pattern, hasLength(of: text) { return "must match the pattern `\(pattern.text)`" }
    return "must have \(Self.range(minLength, maxLength)) \(unit), not \(text.unicodeScalars.count)"
  }

  /// The bounds as texts such as `at least 1` and `at most 9 characters`, in the order in which a definition declares them.
  package var rules: [String] {
    var rules: [String] = []
    if min != nil || max != nil { rules.append(Self.range(min, max)) }
    if minLength != nil || maxLength != nil { rules.append("\(Self.range(minLength, maxLength)) \(unit)") }
    if let pattern { rules.append("matching \(pattern.text)") }
    return rules
  }

  /// The noun after the bounds of a length.
  private var unit: String { (maxLength ?? minLength) == 1 ? "character" : "characters" }

  private static func range(_ least: Value?, _ most: Value?) -> String {
    switch (least, most) {
    case (let least?, let most?): least == most ? least.shortText : "from \(least.shortText) to \(most.shortText)"
    case (let least?, nil): "at least \(least.shortText)"
    case (nil, let most?): "at most \(most.shortText)"
    case (nil, nil): ""
    }
  }
}
