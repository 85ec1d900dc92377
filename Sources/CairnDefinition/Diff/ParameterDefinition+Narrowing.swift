import CairnCore

extension ParameterDefinition {
  /// The type as text, such as `list of string` or `integer, one of 1, 2`.
  var text: String {
    let item = bounds?.item.flatMap { $0.kind == .any ? nil : " of \($0.kind.rawValue)" } ?? ""
    let values = (allowed.map { ", one of \($0.shortText)" } ?? "") + (bounds?.item?.allowed.map { ", each one of \($0.shortText)" } ?? "")
    let rules = (bounds?.rules ?? []).map { ", \($0)" }.joined()
    let standard = defaultValue.map { ", default \($0.shortText)" } ?? ""
    return
      "\(isSecret ? "secret " : "")\(isOptional ? ParameterDefinition.optionalWord : "")\(kind.rawValue)\(item)\(values)\(rules)\(standard)"
  }

  /// Returns the reason why some value of this type is not a value of the type `other`, as the end of a sentence; `nil` if every value is
  /// valid for both types.
  func narrowing(to other: ParameterDefinition) -> String? {
    if isSecret != other.isSecret {
      return isSecret
        ? "is secret, so it cannot become a value that clients see" : "is stored unencrypted in the history, so it cannot become secret"
    }
    if kind != other.kind, other.kind != .any, !(kind == .integer && other.kind == .number) {
      return "is of type \(kind.rawValue), not \(other.kind.rawValue)"
    }
    if let list = other.allowed, list != allowed {
      let gone = allowed.map { ValueSet($0.values.filter { !list.contains($0) }).shortText }
      if gone != "" { return "may be \(gone ?? "a different value") but must be one of \(list.shortText)" }
    }
    if let bounds = other.bounds, let reason = narrowing(to: bounds) { return reason }
    return isOptional && !other.isOptional && other.defaultValue == nil ? "may be missing" : nil
  }

  /// Returns the reason why some value of this type is not within the bounds, as the end of a sentence; `nil` if every value is.
  private func narrowing(to bounds: ValueBounds) -> String? {
    if let allowed {
      let gone = allowed.values.filter { !bounds.allows($0) }
      return gone.isEmpty ? nil : "may be \(ValueSet(gone).shortText) but must be \(bounds.rules.joined(separator: ", "))"
    }
    for (own, others, word) in [(self.bounds?.min, bounds.min, "less"), (self.bounds?.minLength, bounds.minLength, "shorter")] {
      if let others, own?.isLess(than: others) ?? true { return "may be \(word) than the new bound \(others.shortText)" }
    }
    for (own, others, word) in [(self.bounds?.max, bounds.max, "greater"), (self.bounds?.maxLength, bounds.maxLength, "longer")] {
      if let others, own?.isMore(than: others) ?? true { return "may be \(word) than the new bound \(others.shortText)" }
    }
    if let pattern = bounds.pattern, pattern != self.bounds?.pattern { return "may not match the new pattern \(pattern.text)" }
    let item = self.bounds?.item ?? ParameterDefinition(.any)
    return bounds.item.flatMap { item.narrowing(to: $0) }.map { "may have an item that \($0)" }
  }
}
