import CairnCore
import CairnDefinition

/// Sample values that represent all values: the values that conditions name, and two values of each kind that no condition names. For
/// numbers that are compared by size, the adjacent numbers are included.
struct Palette: Sendable {
  /// Two integers and two strings that do not occur in the definition.
  let numbers: [Value]
  let strings: [Value]
  /// The values that conditions distinguish, by `Value.kindName`.
  private let compared: [String: [Value]]
  /// The names that share values.
  let streams: Streams

  init(_ definition: Definition, _ claims: [Claim]) {
    let conditions = definition.guards + claims.flatMap(\.guards)
    streams = Streams(definition, conditions)
    compared = Dictionary(grouping: streams.allKnown.distinct.sorted { $0.shortText < $1.shortText }, by: \.kindName)
    let known = definition.expressions.flatMap(\.literals) + conditions.flatMap(\.compared).flatMap(\.literals) + streams.allKnown
    let most = known.compactMap(\.double).filter { $0 < 1e15 }.max() ?? 0
    let first = most < 700 ? 701 : Int(most) + 100
    numbers = [.integer(first), .integer(first + 1)]
    let texts = ["one", "two"].map { text in known.contains(.string(text)) ? text + "-more" : text }
    strings = texts.map(Value.string)
  }

  /// The values of a kind (`Value.kindName`) that conditions compare with.
  func compared(of kind: String) -> [Value] { compared[kind] ?? [] }

  /// The samples that represent all values that no condition names.
  var fresh: [Value] { numbers + strings }

  /// The samples that are interchangeable: without the numbers if their order can matter (`Streams.seesOrder`).
  var interchangeable: [Value] { streams.seesOrder ? strings : fresh }

  /// The values to try for a name with this type. `nil` represents a missing value.
  func values(of type: ParameterDefinition, named name: String) -> [Value?] {
    // No condition can distinguish two secrets.
    if type.isSecret { return [.sealed(1)] + (type.isOptional ? [nil] : []) }
    let known = streams.known(name).sorted { $0.shortText < $1.shortText }
    var values: [Value?]
    if let allowed = type.allowed {
      values =
        allowed.values.filter(known.contains) + others(of: allowed.values.filter { !known.contains($0) }, between: streams.bounds(name))
    } else {
      switch type.kind {
      case .boolean: values = [true, false]
      case .integer: values = known.filter { if case .integer = $0 { true } else { false } } + numbers
      case .number: values = known.filter { $0.double != nil } + numbers
      case .string: values = known.filter { if case .string = $0 { true } else { false } } + strings
      case .list: values = known.filter { if case .array = $0 { true } else { false } } + lists(of: type)
      case .any: values = (known.contains { $0.isBoolean } ? [true, false] : []) + known.filter { !$0.isBoolean } + strings
      }
    }
    if type.bounds != nil {
      values = values.filter { $0.map { type.fault(of: $0) == nil } ?? true }
      let texts = strings.compactMap { if case .string(let text) = $0 { text } else { nil } }
      values += type.samples(from: texts).filter { !values.contains($0) }.map(Optional.some)
    }
    if type.isOptional { values.append(nil) }
    return values
  }

  /// Sample lists with sample items. They have the least number of items, one or two items more, or the greatest number of items.
  private func lists(of type: ParameterDefinition) -> [Value] {
    let items = values(of: type.bounds?.item ?? ParameterDefinition(.any), named: "").compactMap(\.self)
    guard !items.isEmpty else { return [.array([])] }
    let (least, most) = (type.bounds?.count(\.minLength) ?? 0, type.bounds?.count(\.maxLength))
    let counts = [least, least + 1, least + 2].filter { $0 <= most ?? .max } + [most].compactMap(\.self)
    return counts.filter { $0 <= Self.longestList }.map { count in .array((0..<count).map { items[$0 % items.count] }) }.distinct
  }

  /// The greatest number of items in a sample.
  private static let longestList = 20

  /// At most two values of each class that the bounds of `over` and `under` distinguish.
  private func others(of values: [Value], between bounds: [Double]) -> [Value] {
    var counts: [Int: Int] = [:]
    return values.filter { value in
      let kind = value.double.map { number in bounds.count { $0 < number } } ?? -1
      counts[kind, default: 0] += 1
      return counts[kind, default: 0] <= 2
    }
  }

  /// Returns the combinations to try for params of these types: all of them, or a selection if there are more than `most` (`Picks.init`).
  func choices(of types: [String: ParameterDefinition], most: Int = 64) -> Picks {
    picks(Dictionary(uniqueKeysWithValues: types.map { ($0.key, values(of: $0.value, named: $0.key)) }), most: most)
  }

  /// Returns the combinations of the names' values to try: all of them, or a selection if there are more than `most` (`Picks.init`).
  func picks(_ choices: [String: [Value?]], most: Int) -> Picks { Picks(choices, reading: streams.isRead, most: most) }

  /// The values to try for a member with this name that conditions compare with `compared`. They are the compared values, one other value,
  /// and `nil` for a missing member. If conditions compare the member with other names, the values of these names are tried too.
  func values(likeThose compared: [Value], named name: String? = nil) -> [Value?] {
    let kinds = name.flatMap(streams.met) ?? []
    guard kinds.isEmpty else {
      let met = kinds.map { values(of: ParameterDefinition($0), named: name ?? "") }.sorted { $0.count > $1.count }
      return (met.joined().compactMap(\.self) + compared).distinct + [nil]
    }
    guard compared.contains(where: { if case .bool = $0 { false } else { true } }) || compared.isEmpty else { return [true, false, nil] }
    let isNumber = compared.contains { $0.double != nil }
    let near = compared.filter { $0.double != nil }.flatMap { value in self.compared[value.kindName]?.filter { $0.isNext(to: value) } ?? []
    }
    return compared + near.filter { !compared.contains($0) } + [isNumber ? numbers[0] : strings[0], nil]
  }
}

extension ValueBounds {
  /// A bound of the number of items; `nil` if there is none.
  fileprivate func count(_ bound: KeyPath<ValueBounds, Value?>) -> Int? {
    if case .integer(let count)? = self[keyPath: bound] { Int(count) } else { nil }
  }
}

extension Value {
  fileprivate var isBoolean: Bool { if case .bool = self { true } else { false } }

  /// Whether two numbers differ by at most 1 and are not equal.
  fileprivate func isNext(to other: Value) -> Bool {
    guard let one = double, let two = other.double else { return false }
    return abs(one - two) <= 1 && one != two
  }
}
