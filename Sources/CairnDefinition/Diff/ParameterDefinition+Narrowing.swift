import CairnCore

extension ParameterDefinition {
  /// The type as text, such as `string?` or `integer, one of 1, 2`.
  var text: String {
    let values = allowed.map { ", one of \($0.shortText)" } ?? ""
    let standard = defaultValue.map { ", default \($0.shortText)" } ?? ""
    return "\(isSecret ? "secret " : "")\(isOptional ? ParameterDefinition.optionalWord : "")\(kind.rawValue)\(values)\(standard)"
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
    return isOptional && !other.isOptional && other.defaultValue == nil ? "may be missing" : nil
  }
}
