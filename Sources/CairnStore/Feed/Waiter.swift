/// A request that waits for a session's next change. It is answered once, by `end`. Only for the feed's thread.
struct Waiter: Sendable {
  let number: Int
  let revision: Int
  /// Milliseconds since 1970.
  let time: Int
  let isWanted: @Sendable () -> Bool
  let reply: @Sendable (WaitEnding) -> Void
  /// Held as long as it waits.
  let ear: Ear

  /// Answers; it is one that waits no more.
  func end(_ ending: WaitEnding) {
    ear.endWait()
    reply(ending)
  }
}
