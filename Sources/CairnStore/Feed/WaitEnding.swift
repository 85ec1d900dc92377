/// How a wait for a session's next change ends.
package enum WaitEnding: Sendable {
  /// Something happened, its end included.
  case changed
  /// Nothing did.
  case timeOver
  /// The store or the server stops.
  case stopping
}
