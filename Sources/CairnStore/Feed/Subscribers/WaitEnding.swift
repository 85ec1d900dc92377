/// The outcome of a wait for a session's next change.
package enum WaitEnding: Sendable {
  /// The session changed or ended.
  case changed
  /// The session did not change before the deadline, or the client disconnected.
  case timeOver
  /// The store or the server is stopping.
  case stopping
}
