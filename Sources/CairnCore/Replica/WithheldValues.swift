/// The values that the service does not send to its clients, and a record of whether the action in progress has read one. Not safe for concurrent use.
final class WithheldValues: @unchecked Sendable {
  private let facts: Set<String>
  private(set) var wasRead = false

  init(facts: Set<String>) { self.facts = facts }

  /// Clears the record of earlier reads.
  func begin() { wasRead = false }

  /// Records that a fact was read. Does nothing for a fact that clients have.
  func noteRead(fact: String) {
    if facts.contains(fact) { wasRead = true }
  }

  /// Records that a value was read that no client has.
  func noteRead() { wasRead = true }
}
