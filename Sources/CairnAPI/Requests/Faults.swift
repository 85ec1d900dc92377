package import CairnCore

/// What is wrong with a body: the first twenty faults, and how many there are. A body may hold more of them than anybody reads, and each one
/// takes time to tell.
package struct Faults: Hashable, Sendable {
  private var told: [Refusal.Fault] = []
  package private(set) var count = 0

  package init() {}

  /// How many are told.
  package static let limit = Refusal.faultLimit

  package var isEmpty: Bool { count == 0 }

  /// Notes one; it is made only if it is told.
  package mutating func append(_ fault: @autoclosure () -> Refusal.Fault) {
    if told.count < Self.limit { told.append(fault()) }
    count += 1
  }

  /// Takes over what was found elsewhere.
  package mutating func append(_ others: Faults) {
    guard !others.isEmpty else { return }
    told += others.told.prefix(Self.limit - told.count)
    count += others.count
  }

  /// Notes some of which nothing is told but their number.
  package mutating func append(further: Int) { count += further }
}

extension Faults: Sequence {
  /// Those that are told, and one that says how many more there are.
  package func makeIterator() -> IndexingIterator<[Refusal.Fault]> {
    let rest = count - told.count
    return (rest > 0 ? told + [.init(pointer: "", detail: "and \(rest) more")] : told).makeIterator()
  }
}

extension Faults: ExpressibleByArrayLiteral {
  package init(arrayLiteral faults: Refusal.Fault...) {
    for fault in faults { append(fault) }
  }
}
