/// A subscriber of all sessions. Called on the feed's thread, one call at a time; nothing in it may block.
package protocol Onlooker: AnyObject, Sendable {
  /// The next events, number after number.
  func hear(_ tidings: ArraySlice<Tiding>)
  /// Events may be missing before the next number; the feed continues behind `number`.
  func reset(at number: Int)
  /// Nothing more will come.
  func end(_ ending: FeedEnding)
}
