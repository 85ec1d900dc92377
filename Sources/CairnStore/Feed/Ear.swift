import CairnCore
import Synchronization

/// A subscription to a session. From its creation on no commit can be missed: read the session after it was made, then `join` behind the
/// revision that was read. Any thread.
package final class Ear: Sendable {
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

  /// Sends `listener` everything behind a revision of the session, which was read after this was made. The feed holds it until `leave`.
  /// Once.
  package func join(behind revision: Int, of seen: Session, _ listener: any SessionListener) {
    let letter = Letter.joined(session, number, heard: revision, seen: seen.state.revision, seen.birth, listener)
    if !feed.put(letter) { listener.end(.stopping) }
  }

  /// Calls `reply` once, on any thread: when the session is past a revision or gone, at a time (milliseconds since 1970), or at the stop.
  /// Then it leaves. Call it once, and not beside `join`.
  package func wait(
    past revision: Int, until time: Int, while isWanted: @escaping @Sendable () -> Bool, reply: @escaping @Sendable (WaitEnding) -> Void
  ) {
    feed.count(1)
    let waiter = Waiter(number: number, revision: revision, time: time, isWanted: isWanted, reply: reply, ear: self)
    if !feed.put(.waits(session, waiter)) { waiter.end(.stopping) }
  }

  /// Ends the wait.
  func endWait() {
    feed.count(-1)
    leave()
  }

  /// Hears nothing more.
  package func leave() {
    guard !isGone.exchange(true, ordering: .relaxed) else { return }
    feed.left(session, number)
  }
}
