import CairnCore
package import CairnJournal
import Synchronization

/// A subscription to a session, created before the session is read, so that no commit can be missed. After the session has been read, call
/// `join` or `wait` with it. Thread-safe.
package final class Subscription: Sendable {
  let session: String
  let number: Int
  private let feed: Feed
  private let isGone = Atomic(false)

  init(_ session: String, _ number: Int, of feed: Feed) {
    self.session = session
    self.number = number
    self.feed = feed
  }

  deinit { leave() }

  /// Sends `listener` all events after an entry. `seen` is the session as read after this subscription was created. The feed retains the listener
  /// until `leave`. Call at most once.
  package func join(behind tag: RevisionTag, of seen: Session, _ listener: any SessionListener) {
    let message = FeedMessage.joined(session, number, received: tag, seen: seen.tag, seen.identity, listener)
    if !feed.put(message) { listener.end(.stopping) }
  }

  /// Waits for a change without blocking. `seen` is the session as it was read after this subscription was created. `reply` is called once,
  /// on any thread: when the session has a different newest entry or has ended, at `time` (milliseconds since 1970), when `isWanted`
  /// returns `false`, or when the store stops. The reply ends the subscription. Call at most once, and not together with `join`.
  package func wait(
    past seen: Session, until time: Int, while isWanted: @escaping @Sendable () -> Bool, reply: @escaping @Sendable (WaitEnding) -> Void
  ) {
    feed.count(1)
    let waiter = Waiter(number: number, tag: seen.tag, time: time, isWanted: isWanted, reply: reply, subscription: self)
    if !feed.put(.waits(seen.identity, waiter)) { waiter.end(.stopping) }
  }

  /// Ends the subscription of a finished wait, and decrements the number of waiting requests.
  func endWait() {
    feed.count(-1)
    leave()
  }

  /// Ends the subscription.
  package func leave() {
    guard !isGone.exchange(true, ordering: .relaxed) else { return }
    feed.left(session, number)
  }
}
