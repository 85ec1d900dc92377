/// A subscriber of a session. Its methods are called on the feed's thread, one at a time, and must not block.
package protocol SessionListener: AnyObject, Sendable {
  /// Receives the next events in the order of their revisions, without gaps and repetitions.
  func hear(_ occurrences: ArraySlice<Occurrence>)
  /// Notifies the subscriber that the journal has lost the newest entries that it received. `session` is the newest state. The next events
  /// follow the revision of `session`.
  func reset(to session: Session)
  /// Notifies the subscriber that its subscription has ended. No further calls follow.
  func end(_ ending: FeedEnding)
  /// Calls `note` once, on any thread, when the subscriber can receive another page of missed events.
  func whenReady(_ note: @escaping @Sendable () -> Void)
}
