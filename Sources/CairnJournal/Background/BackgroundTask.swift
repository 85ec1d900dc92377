/// A background task. Unless stated otherwise, one node performs the task for all nodes, after it has claimed the task (`ClusterJournal.claim`). If two nodes
/// nevertheless perform the task at the same time, the result is the same.
package enum BackgroundTask: String, Hashable, Sendable, CaseIterable {
  /// Ends expired sessions.
  case expiry
  /// Forgets the history that is older than its retention, or beyond the limits of a session.
  case retention
  /// Moves sessions to the new definition of a rollout, or back to the old one.
  case rollout
  /// Checks sessions for damage.
  case sampling
  /// Deletes rows that no node needs any longer.
  case erasure
  /// Reads the changes of other nodes. Every node performs this task.
  case changes
  /// Signals commits to other nodes, and receives their signals. Every node performs this task.
  case signals
  /// Reports to other nodes that this node is running. Every node performs this task.
  case presence
}
