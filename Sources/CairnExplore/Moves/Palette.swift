import CairnCore
import CairnDefinition

/// Sample values that stand for all values: those that conditions name, and two of each kind that no condition names. For numbers that are compared
/// by size, the adjacent numbers are included.
struct Palette: Sendable {
  /// Two integers and two strings that do not occur in the definition.
  let numbers: [Value]
  let strings: [Value]
  /// The values that conditions compare with, by `Value.kindName`.
  private let compared: [String: [Value]]
  /// The names that share values.
  private let streams: Streams

  init(_ definition: Definition, _ claims: [Claim]) {
    let conditions = definition.guards + claims.flatMap(\.guards)
    var compared: [String: [Value]] = [:]
    let leaves = conditions.flatMap(\.leaves).filter { !$0.isAboutAway }
    for value in leaves.flatMap(\.compared).flatMap(\.literals) + leaves.flatMap(\.neighbours)
    where !(compared[value.kindName]?.contains(value) ?? false) {
      compared[value.kindName, default: []].append(value)
    }
    streams = Streams(definition, conditions)
    self.compared = compared.mapValues { $0.sorted { $0.shortText < $1.shortText } }
    let known = definition.expressions.flatMap(\.literals) + conditions.flatMap(\.compared).flatMap(\.literals)
    let most = known.compactMap(\.double).filter { $0 < 1e15 }.max() ?? 0
    let first = most < 700 ? 701 : Int(most) + 100
    numbers = [.integer(first), .integer(first + 1)]
    let texts = ["one", "two"].map { text in known.contains(.string(text)) ? text + "-more" : text }
    strings = texts.map(Value.string)
  }

  /// The values of a kind (`Value.kindName`) that conditions compare with.
  func compared(of kind: String) -> [Value] { compared[kind] ?? [] }

  /// The samples that stand for all values that no condition names.
  var fresh: [Value] { numbers + strings }

  /// The values to try for a name with this type. `nil` stands for a missing value.
  func values(of type: ParameterDefinition, named name: String) -> [Value?] {
    let compared = compared.mapValues { $0.filter { value in reaches(value, from: name) } }
    var values: [Value?] = []
    // Nothing distinguishes two secrets.
    if type.isSecret { return [.sealed(1)] + (type.isOptional ? [nil] : []) }
    if let allowed = type.allowed {
      // Of an allowed list, all values that conditions name, and two others.
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

  /// The params to try: every combination if there are at most `most`; otherwise each value once, combined with the first values of the others.
  func choices(of types: [String: ParameterDefinition], most: Int = 64) -> [[String: Value]] {
    picks(Dictionary(uniqueKeysWithValues: types.map { ($0.key, values(of: $0.value, named: $0.key)) }), most: most)
  }

  /// Whether the value, or an integer next to it, is compared with this name or with a name that gets its values.
  private func reaches(_ value: Value, from name: String) -> Bool {
    guard !streams.reaches(value, from: name), case .integer(let number) = value else { return streams.reaches(value, from: name) }
    return streams.reaches(.integer(number - 1), from: name) || streams.reaches(.integer(number + 1), from: name)
  }

  /// The values to try for a member that is compared with these values: each of them, one other value, and none.
  func values(likeThose compared: [Value]) -> [Value?] {
    guard compared.contains(where: { if case .bool = $0 { false } else { true } }) || compared.isEmpty else { return [true, false, nil] }
    let isNumber = compared.contains { $0.double != nil }
    let near = compared.filter { $0.double != nil }.flatMap { value in self.compared[value.kindName]?.filter { $0.isNext(to: value) } ?? []
    }
    return compared + near.filter { !compared.contains($0) } + [isNumber ? numbers[0] : strings[0], nil]
  }

  /// Every combination if there are at most `most`; otherwise each value once, combined with the first values of the others.
  func picks(_ choices: [String: [Value?]], most: Int) -> [[String: Value]] {
    let names = choices.keys.sorted()
    let values = names.map { choices[$0] ?? [] }
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

extension Value {
  /// Whether two numbers differ by at most 1 and are not equal.
  fileprivate func isNext(to other: Value) -> Bool {
    guard let one = double, let two = other.double else { return false }
    return abs(one - two) <= 1 && one != two
  }
}

extension Guard {
  /// The integers next to the bounds of `over` and `under`.
  fileprivate var neighbours: [Value] {
    switch self {
    case .fact(_, let test), .param(_, let test), .content(_, let test, _), .result(_, let test):
      switch test {
      case .over, .under:
        compared.flatMap(\.literals).compactMap(\.double).filter { abs($0) < 1e15 }.flatMap { number in
          [.integer(Int(number.rounded(.up)) - 1), .integer(Int(number.rounded(.down)) + 1)]
        }
      case .isTrue, .present, .absent, .equals, .among: []
      }
    default: []
    }
  }
}
