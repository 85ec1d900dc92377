/// Work in the background that one node performs for all. If two nodes perform it at the same time, the result is the same.
package enum BackgroundTask: String, Hashable, Sendable, CaseIterable {
  /// Ends expired sessions.
  case expiry
  /// Forgets the history that is older than its retention.
  case retention
  /// Moves the sessions of rollouts.
  case rollout
  /// Looks for damaged sessions.
  case sampling
  /// Deletes rows that no node needs any more.
  case erasure
}
