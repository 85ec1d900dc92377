/// Work in the background. A task that one node performs for all can be claimed; if two nodes perform it at the same time, the result is the same.
package enum BackgroundTask: String, Hashable, Sendable, CaseIterable {
  /// Ends expired sessions.
  case expiry
  /// Forgets the history that is older than its retention, or beyond the limits of a session.
  case retention
  /// Moves the sessions of rollouts.
  case rollout
  /// Looks for damaged sessions.
  case sampling
  /// Deletes rows that no node needs any more.
  case erasure
  /// Reads what other nodes have changed. Each node does.
  case changes
  /// Tells other nodes of commits, and receives what they tell. Each node does.
  case signals
  /// Tells other nodes that this one runs. Each node does.
  case presence
}
