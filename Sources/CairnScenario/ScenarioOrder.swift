import CairnCore

/// For each scenario of a file, the scenario that it continues (`after`).
struct ScenarioOrder {
  /// For each scenario, the index of the scenario that it continues; `nil` if it continues none, or if `after` is invalid.
  private(set) var bases: [Int?]
  /// The faults by the indexes of the scenarios.
  private(set) var faults: [Int: String] = [:]

  /// Creates the order. For each scenario in `names`, the element of `after` with the same index is the name of the scenario that it
  /// continues, or `nil` if it continues none.
  init(names: [String], after: [String?]) {
    let known = Dictionary(grouping: names.indices, by: { names[$0] })
    bases = Array(repeating: nil, count: names.count)
    for (index, name) in after.enumerated() {
      guard let name else { continue }
      switch known[name]?.count {
      case 1?: bases[index] = known[name]?.first
      case nil:
        let hint = NearestName.of(name, among: names).map { "; did you mean `\($0)`?" } ?? "; `after` names a scenario of the same file"
        faults[index] = "there is no scenario `\(name)`\(hint)"
      default: faults[index] = "\(known[name]?.count ?? 0) scenarios have the name `\(name)`; give each its own name"
      }
    }
    for index in names.indices {
      guard let cycle = cycle(from: index) else { continue }
      faults[index] =
        "these scenarios start from each other's ends, in a cycle: \((cycle + [index]).map { names[$0] }.joined(separator: ", "))"
      bases[index] = nil
    }
  }

  /// The scenarios that lead from a scenario back to itself; `nil` if there is no such cycle.
  private func cycle(from start: Int) -> [Int]? {
    var path = [start]
    while let next = bases[path[path.count - 1]] {
      if next == start { return path }
      // A cycle that does not contain the start is reported for the scenarios that it contains.
      if path.contains(next) { return nil }
      path.append(next)
    }
    return nil
  }
}
