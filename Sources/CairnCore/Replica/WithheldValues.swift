/// The values that the service does not give to its clients, and whether the action in progress read one. Not safe for concurrent use.
final class WithheldValues: @unchecked Sendable {
  private let facts: Set<String>
  private(set) var wasRead = false

  init(facts: Set<String>) { self.facts = facts }

  /// Forgets earlier reads.
  func begin() { wasRead = false }

  /// Notes that a fact is read.
  func noteRead(fact: String) {
    if facts.contains(fact) { wasRead = true }
  }

  /// Notes that a value is read which no client has.
  func noteRead() { wasRead = true }
}
