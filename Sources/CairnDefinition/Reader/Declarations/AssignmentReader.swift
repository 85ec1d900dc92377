import CairnCore

/// Reads the weights with which the service assigns a fact's value when a session is created.
struct AssignmentReader: PartReader {
  let context: ReaderContext

  /// Maximum weight.
  private static let most = 1_000_000

  /// Reads `assign: { VALUE: WEIGHT, … }`: the weights in the order of the allowed values. If the type has no default, its first value
  /// becomes the default. Returns an empty list after reporting that no weight can be used.
  func shares(_ member: Element.Member, of type: inout ParameterDefinition, _ what: String, hasOtherSource: Bool) -> [Int] {
    if hasOtherSource {
      report("\(what) cannot have `assign` beside `env` or `by`, because its value would have two sources", at: member.position)
    }
    guard let members = member.element.members, !members.isEmpty else {
      report("`assign` must be a map of values with their weights, like `{ a: 50, b: 50 }`", at: member.element.position)
      return []
    }
    guard type.kind == .string, let allowed = type.allowed else {
      report("\(what) must be of type string and have `in` with its values, because it has `assign`", at: member.position)
      return []
    }
    var weights: [String: Int] = [:]
    for member in members {
      if !allowed.contains(.string(member.name)) {
        report("`\(member.name)` is not a value of \(what); it must be one of \(allowed.shortText)", at: member.position)
      }
      guard case .integer(let weight) = member.element.value, (0...Self.most).contains(weight) else {
        report("a weight must be a whole number from 0 to \(Self.most), not \(described(member.element))", at: member.element.position)
        continue
      }
      weights[member.name] = weight
    }
    if weights.values.allSatisfy({ $0 == 0 }) {
      report("`assign` needs at least one weight greater than 0", at: member.element.position)
      return []
    }
    type.defaultValue = type.defaultValue ?? allowed.values.first
    return allowed.values.map { value in if case .string(let name) = value { weights[name] ?? 0 } else { 0 } }
  }
}
