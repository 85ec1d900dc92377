import CairnCore
import CairnDefinition

/// The values that stand for all values: those that conditions name, and two that they do not.
struct Palette: Sendable {
  /// Two whole numbers and two strings that stand nowhere in the definition.
  let numbers: [Value]
  let strings: [Value]
  /// What conditions compare with: of each kind by its name.
  private let compared: [String: [Value]]

  init(_ definition: Definition, _ claims: [Claim]) {
    let conditions = definition.guards + claims.flatMap(\.guards)
    var compared: [String: [Value]] = [:]
    for value in conditions.flatMap(\.compared).flatMap(\.literals) where !(compared[value.kindName]?.contains(value) ?? false) {
      compared[value.kindName, default: []].append(value)
    }
    self.compared = compared.mapValues { $0.sorted { $0.shortText < $1.shortText } }
    let known = definition.expressions.flatMap(\.literals) + conditions.flatMap(\.compared).flatMap(\.literals)
    let most = known.compactMap(\.double).filter { $0 < 1e15 }.max() ?? 0
    let first = most < 700 ? 701 : Int(most) + 100
    numbers = [.integer(first), .integer(first + 1)]
    let texts = ["one", "two"].map { text in known.contains(.string(text)) ? text + "-more" : text }
    strings = texts.map(Value.string)
  }

  /// Those that stand for all others.
  var fresh: [Value] { numbers + strings }

  /// The values of a type that are worth trying; nil stands for none at all.
  func values(of type: ParameterDefinition) -> [Value?] {
    var values: [Value?] = []
    if let allowed = type.allowed {
      // Of a set all that conditions name, and two of the others.
      let named = allowed.filter { value in compared[value.kindName]?.contains(value) ?? false }
      values = named + allowed.filter { !named.contains($0) }.prefix(2)
    } else {
      switch type.kind {
      case .boolean: values = [.bool(true), .bool(false)]
      case .integer, .number: values = (compared["integer"] ?? []) + (type.kind == .number ? compared["number"] ?? [] : []) + numbers
      case .string, .any: values = (compared["string"] ?? []) + strings
      }
    }
    if type.isOptional { values.append(nil) }
    return values
  }

  /// Params of these types: every choice of values where these are few, else each value beside the first ones of the others.
  func choices(of types: [String: ParameterDefinition], most: Int = 64) -> [[String: Value]] {
    let names = types.keys.sorted()
    let values = names.map { name in types[name].map { self.values(of: $0) } ?? [] }
    var count = 1
    for each in values { count = min(count * max(1, each.count), most + 1) }
    func params(_ pick: [Value?]) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: zip(names, pick).compactMap { name, value in value.map { (name, $0) } })
    }
    if count <= most {
      var picks: [[Value?]] = [[]]
      for each in values { picks = picks.flatMap { pick in each.map { pick + [$0] } } }
      return picks.map(params)
    }
    let firsts = values.map { $0.first ?? nil }
    var all = [params(firsts)]
    for (place, each) in values.enumerated() {
      for value in each.dropFirst() {
        var pick = firsts
        pick[place] = value
        all.append(params(pick))
      }
    }
    return all
  }
}
