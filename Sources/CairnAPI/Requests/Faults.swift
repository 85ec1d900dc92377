package import CairnCore

/// The faults of a body. Only the first twenty have a message. The others are only counted, because each message takes time and a body can
/// contain many faults.
package struct Faults: Hashable, Sendable {
  private var kept: [Refusal.Fault] = []
  package private(set) var count = 0

  package init() {}

  /// The maximum number of faults with a message.
  package static let limit = Refusal.faultLimit

  package var isEmpty: Bool { count == 0 }

  /// Appends a fault. Its message is created only below the limit.
  package mutating func append(_ fault: @autoclosure () -> Refusal.Fault) {
    if kept.count < Self.limit { kept.append(fault()) }
    count += 1
  }

  /// Appends the faults of another part of the body.
  package mutating func append(_ others: Faults) {
    guard !others.isEmpty else { return }
    kept += others.kept.prefix(Self.limit - kept.count)
    count += others.count
  }

  /// Counts faults that have no message.
  package mutating func append(further: Int) { count += further }
}

extension Faults: Sequence {
  /// Iterates over the faults with a message, followed by a fault that contains the number of the faults without a message.
  package func makeIterator() -> IndexingIterator<[Refusal.Fault]> {
    let rest = count - kept.count
    return (rest > 0 ? kept + [.init(pointer: "", detail: "and \(rest) more")] : kept).makeIterator()
  }
}

extension Faults: ExpressibleByArrayLiteral {
  package init(arrayLiteral faults: Refusal.Fault...) {
    for fault in faults { append(fault) }
  }
}
