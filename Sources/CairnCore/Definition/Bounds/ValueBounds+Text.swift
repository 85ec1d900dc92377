extension ValueBounds {
  /// The rule that a value violates, as the end of a sentence ("must be …"); `nil` if the value is within the bounds.
  func fault(of value: Value) -> String? {
    if case .array(let items) = value { return fault(ofItems: items) }
    if allows(value) { return nil }
    guard case .string(let text) = value else { return "must be \(Self.range(min, max)), not \(value.shortText)" }
    if let pattern, hasLength(of: text) { return "must match the pattern `\(pattern.text)`" }
    return fault(ofLength: text.unicodeScalars.count)
  }

  /// The first rule that a list violates. If an item violates it, the text begins with the item's index: `[2] must be …`.
  private func fault(ofItems items: [Value]) -> String? {
    if let misfit = misfit(in: items) { return "[\(misfit.index)] \(misfit.fault)" }
    return hasLength(items.count) ? nil : fault(ofLength: items.count)
  }

  /// The first item of a list that does not fit the item type, with its fault; `nil` if all items fit, or if the number of items is out of bounds.
  fileprivate func misfit(in items: [Value]) -> (index: Int, fault: String)? {
    guard let item, hasLength(items.count) else { return nil }
    for (index, value) in items.enumerated() {
      if let fault = item.fault(of: value) { return (index, fault) }
    }
    return nil
  }

  private func fault(ofLength count: Int) -> String { "must have \(Self.range(minLength, maxLength)) \(unit), not \(count)" }

  /// The bounds as texts such as `at least 1` and `at most 9 characters`, in the order in which a definition declares them.
  package var rules: [String] {
    var rules: [String] = []
    if min != nil || max != nil { rules.append(Self.range(min, max)) }
    if minLength != nil || maxLength != nil { rules.append("\(Self.range(minLength, maxLength)) \(unit)") }
    if let pattern { rules.append("matching \(pattern.text)") }
    for rule in item?.bounds?.rules ?? [] { rules.append("each \(rule)") }
    return rules
  }

  /// The noun after the bounds of a length.
  private var unit: String {
    let isOne = (maxLength ?? minLength) == 1
    return item == nil ? isOne ? "character" : "characters" : isOne ? "item" : "items"
  }

  private static func range(_ least: Value?, _ most: Value?) -> String {
    switch (least, most) {
    case (let least?, let most?): least == most ? least.shortText : "from \(least.shortText) to \(most.shortText)"
    case (let least?, nil): "at least \(least.shortText)"
    case (nil, let most?): "at most \(most.shortText)"
    case (nil, nil): ""
    }
  }
}

extension ParameterDefinition {
  /// The first item of a list that does not fit the item type, with its fault; `nil` if the value is not a list, or if the fault is not in an item.
  func misfit(in value: Value) -> (index: Int, fault: String)? {
    guard kind == .list, case .array(let items) = value else { return nil }
    return bounds?.misfit(in: items)
  }
}
