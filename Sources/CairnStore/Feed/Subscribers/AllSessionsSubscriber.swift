/// A subscriber of all sessions. Its methods are called on the feed's thread, one at a time, and must not block.
package protocol AllSessionsSubscriber: AnyObject, Sendable {
  /// Receives the next events. Their numbers are consecutive.
  func hear(_ events: ArraySlice<FeedEvent>)
  /// Notifies the subscriber that it may have missed events. The next event has the number after `number`.
  func reset(at number: Int)
  /// Notifies the subscriber that its subscription has ended. No further calls follow.
  func end(_ ending: FeedEnding)
}
