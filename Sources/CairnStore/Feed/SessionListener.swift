/// A subscriber of a session. Called on the feed's thread, one call at a time; nothing in it may block.
package protocol SessionListener: AnyObject, Sendable {
  /// The next events: revision after revision, none left out and none repeated.
  func hear(_ occurrences: ArraySlice<Occurrence>)
  /// Nothing more will come.
  func end(_ ending: FeedEnding)
  /// Calls `note` once, on any thread, when it can take a further page of what it missed.
  func whenReady(_ note: @escaping @Sendable () -> Void)
}
