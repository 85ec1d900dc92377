package import CairnCore

extension Replica {
  /// Applies one entry. `number` is the number of this client's action if the entry belongs to one; otherwise `nil`.
  package mutating func confirm(_ difference: [UInt8], number: WideInt?) throws(UnreadableFormat) -> ReplicaUpdate {
    try take([.entry(difference, number: number)])
  }
}
