import CairnJournal

/// A request that waits for a session's next change. `end` is called once. Used by the feed's thread only.
struct Waiter: Sendable {
  let number: Int
  /// The newest entry that the client knows.
  let tag: RevisionTag
  /// The deadline in milliseconds since 1970.
  let time: Int
  let isWanted: @Sendable () -> Bool
  let reply: @Sendable (WaitEnding) -> Void
  /// Keeps the subscription alive during the wait.
  let subscription: Subscription

  /// Ends the subscription and replies. The waiter must have been removed before.
  func end(_ ending: WaitEnding) {
    subscription.endWait()
    reply(ending)
  }
}
