package import CairnCore

/// A session's state at an older revision, with the time and the hash of the entry that led to it.
package struct PastState: Sendable {
  package let state: State
  /// Milliseconds since 1970.
  package let time: Int
  package let hash: UInt64

  package init(_ state: State, time: Int, hash: UInt64) {
    self.state = state
    self.time = time
    self.hash = hash
  }
}
