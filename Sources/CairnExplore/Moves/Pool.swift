import CairnCore
import CairnDefinition

/// The values that a group of names can have, and how conditions compare them.
struct Pool: Sendable {
  /// The values with which conditions compare a name.
  private var compared: [Value] = []
  /// The bounds of `over` and `under`.
  private(set) var bounds: [Value] = []
  /// The values that the definition assigns to a name.
  var assigned: [Value] = []
  /// The lists of allowed values.
  private var lists: [[Value]] = []
  private(set) var kinds: Set<ParameterDefinition.Kind> = []
  /// The names that conditions compare with each other.
  private var pairs: Set<Set<String>> = []
  /// Whether two names are compared by size.
  private(set) var isSized = false
  /// Whether a condition reads a name.
  var isRead = false
  /// The members of content to which operations add.
  var counters: Set<String> = []
  /// The names whose values come from outside, and which have no list of allowed values.
  var inputs: Set<String> = []
  /// The names whose values are texts with inserted values.
  var composed: Set<String> = []

  /// Whether two names are compared with each other.
  var isMet: Bool { !pairs.isEmpty }

  /// Maximum number of values of `meetings` that are tried for names that are compared with each other.
  private static let most = 16

  mutating func compare(_ name: String, _ expressions: [Expression], by leaf: Guard) {
    isRead = true
    let values = expressions.flatMap(\.literals)
    let sources = expressions.flatMap(\.references).compactMap(\.streamName)
    compared += values
    pairs.formUnion(sources.map { [name, $0] })
    if expressions.contains(where: { if case .calculation = $0 { true } else { false } }) { counters.insert(name) }
    if expressions.contains(where: { if case .template = $0 { true } else { false } }) { composed.insert(name) }
    if leaf.isAboutTruth { compared.append(true) }
    guard leaf.isAboutSize else { return }
    bounds += values
    isSized = isSized || !sources.isEmpty
  }

  mutating func add(_ type: ParameterDefinition, named name: String, isInput: Bool) {
    kinds.insert(type.kind)
    if let value = type.defaultValue { assigned += value.scalars }
    if let allowed = type.allowed {
      if !lists.contains(allowed.values) { lists.append(allowed.values) }
    } else if isInput, type.kind != .boolean {
      inputs.insert(name)
    }
  }

  /// The values to try for each name: the values with which conditions compare one of the names, and the numbers next to a bound. If names are compared
  /// with each other, values that both names can have are included.
  var known: [Value] {
    var known = compared.distinct + bounds.flatMap(\.neighbours) + bounds.gaps
    guard isMet else { return known.distinct }
    known += meetings.prefix(Self.most)
    if isSized { known += known.flatMap(\.neighbours) }
    return known.distinct
  }

  /// The values that the definition assigns, up to two common values of each pair of lists, and up to two values of each list. For
  /// comparisons by size, also the minimum and the maximum of each list.
  private var meetings: [Value] {
    let lists = lists.sorted { $0.map(\.shortText).lexicographicallyPrecedes($1.map(\.shortText)) }
    var met = assigned.distinct.sorted { $0.shortText < $1.shortText }
    func add(_ values: [Value], _ count: Int) {
      let missing = max(0, min(count, values.count) - values.count(where: met.contains))
      met += values.filter { !met.contains($0) }.prefix(missing)
    }
    for (place, list) in lists.enumerated() {
      for other in lists[(place + 1)...] { add(list.filter(other.contains), 2) }
    }
    for list in lists { add(list, 2) }
    // In comparisons by size, the minimum and the maximum of a list can be decisive.
    guard isSized else { return met }
    return met
      + lists.flatMap { list in
        let numbers = list.sorted { ($0.double ?? 0) < ($1.double ?? 0) }
        return [numbers.first, numbers.last].compactMap(\.self)
      }
  }

  /// The doubt to report if not every outcome of the comparisons is tried; otherwise `nil`.
  var doubt: Doubt? {
    guard isRead else { return nil }
    let names = pairs.reduce(into: composed.union(counters)) { $0.formUnion($1) }
    let why: String? =
      if !composed.isEmpty, isMet || compared.contains(where: { if case .string = $0 { true } else { false } }) {
        names.count == 1
          ? "is compared, and is a string with inserted values" : "are compared, and one of them is a string with inserted values"
      } else if !isMet {
        nil
      } else if !counters.isEmpty, !inputs.isEmpty || counters.count > 1 {
        "are compared with each other, and one of them is a counter"
      } else if !inputs.isEmpty, pairs.count > (isSized ? 1 : 2) {
        "are compared with each other in several ways, but at most two different values of each were tried"
      } else if meetings.distinct.count > Self.most {
        "are compared with each other, and the app assigns them more than \(Self.most) values"
      } else {
        nil
      }
    return why.map { Doubt("\(names.sorted().joined(separator: ", ")) \($0)", names: names) }
  }
}

extension Guard {
  /// Whether the condition compares by size.
  fileprivate var isAboutSize: Bool {
    switch test {
    case .over, .under: true
    case .isTrue, .present, .absent, .equals, .among, nil: false
    }
  }

  /// Whether the condition tests for `true`.
  fileprivate var isAboutTruth: Bool { test == .isTrue }

  /// The test of a value; `nil` if the condition does not test a value.
  private var test: Test? {
    switch self {
    case .fact(_, let test), .flowFact(_, let test), .param(_, let test), .content(_, let test, _), .result(_, let test): test
    case .status, .visible, .screen, .flow, .passed, .between, .all, .any, .not: nil
    }
  }
}

extension Value {
  /// The integers next to a number.
  fileprivate var neighbours: [Value] {
    guard let number = double, abs(number) < 1e15 else { return [] }
    return [.integer(WideInt(number.rounded(.up)) - 1), .integer(WideInt(number.rounded(.down)) + 1)]
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension [Value] {
  /// A number between each pair of adjacent bounds that have no integer between them.
  fileprivate var gaps: [Value] {
    let numbers = Set(compactMap(\.double)).sorted()
    return zip(numbers, numbers.dropFirst()).filter { $0.rounded(.down) + 1 >= $1 }.map { .number(($0 + $1) / 2) }
  }
}
