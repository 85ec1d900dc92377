package import CairnCore

/// A session's state at an earlier revision, with the time and the hash of the entry that created it. The entry itself may be forgotten.
package struct PastState: Sendable {
  package let state: State
  /// The hash of the session's definition at that revision.
  package let definition: String
  /// The time in milliseconds since 1970.
  package let time: Int
  package let hash: UInt64

  package var revision: Int { state.revision }

  package init(_ state: State, definition: String, time: Int, hash: UInt64) {
    self.state = state
    self.definition = definition
    self.time = time
    self.hash = hash
  }
}
