import CairnCore

/// Combinations of the values to try for several names, such as the params of a step.
struct Picks: Sendable {
  private(set) var all: [[String: Value]] = []
  /// Whether every combination of values that a condition can distinguish is included.
  private(set) var isWhole = true

  /// Creates every combination if there are at most `most`. Otherwise creates every combination of the names that conditions read, if there
  /// are at most `most` of these, and each value of the other names. If there are still too many, creates two combinations for each value:
  /// one with the first values of the other names, and one with as few other values as possible. `nil` represents a missing value.
  init(_ choices: [String: [Value?]], reading read: (String) -> Bool = { _ in true }, most: Int) {
    let names = choices.keys.sorted()
    let values = names.map { choices[$0] ?? [] }
    let firsts = values.map { $0.first ?? nil }
    func product(where isVaried: (Int) -> Bool) -> [[Value?]]? {
      var picks: [[Value?]] = [[]]
      for (place, each) in values.enumerated() {
        let each = isVaried(place) ? each : [firsts[place]]
        guard picks.count * max(1, each.count) <= most else { return nil }
        picks = picks.flatMap { pick in each.map { pick + [$0] } }
      }
      return picks
    }
    var picks = product { _ in true }
    if picks == nil, let distinguished = product(where: { read(names[$0]) }) {
      picks = distinguished + Self.singly(values, from: firsts) { !read(names[$0]) }
    }
    if picks == nil {
      isWhole = false
      let fewest = values.map { each in each.contains { $0 == nil } ? nil : each.first ?? nil }
      picks = [firsts, fewest] + Self.singly(values, from: firsts) { _ in true } + Self.singly(values, from: fewest) { _ in true }
    }
    var seen: Set<[String: Value]> = []
    all = (picks ?? []).map { pick in
      Dictionary(uniqueKeysWithValues: zip(names, pick).compactMap { name, value in value.map { (name, $0) } })
    }.filter { seen.insert($0).inserted }
  }

  /// Each value of the chosen names once, with the given values of the other names.
  private static func singly(_ values: [[Value?]], from others: [Value?], where isVaried: (Int) -> Bool) -> [[Value?]] {
    values.indices.filter(isVaried).flatMap { place in
      values[place].map { value in
        var pick = others
        pick[place] = value
        return pick
      }
    }
  }
}
