/// Who hears what becomes of all sessions. Called on the feed's thread, one call at a time; nothing in it may block.
package protocol Onlooker: AnyObject, Sendable {
  /// What came next, number after number.
  func hear(_ tidings: ArraySlice<Tiding>)
  /// Something may have been missed before the next number; it begins anew behind `number`.
  func reset(at number: Int)
  /// Nothing more will come.
  func end(_ ending: FeedEnding)
}
