package import CairnCore

/// The faults of a body: the first twenty, and their number. A body can hold more faults than a reader wants, and each message takes time.
package struct Faults: Hashable, Sendable {
  private var told: [Refusal.Fault] = []
  package private(set) var count = 0

  package init() {}

  /// The number of faults with a message.
  package static let limit = Refusal.faultLimit

  package var isEmpty: Bool { count == 0 }

  /// Appends a fault; its message is only made if it is below the limit.
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

  /// Counts faults without a message.
  package mutating func append(further: Int) { count += further }
}

extension Faults: Sequence {
  /// The faults with a message, and one that counts the rest.
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
