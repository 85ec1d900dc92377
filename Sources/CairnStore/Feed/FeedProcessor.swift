import CairnJournal
import CairnRuntime

/// Processes the messages to the feed. Created, used and released on the feed's thread.
final class FeedProcessor {
  private var subscribers: [String: SessionSubscribers] = [:]
  private var allSessions = AllSessionsFeed()
  /// The time of the next check of waiting requests, in milliseconds since 1970; `nil` if no requests wait.
  private var look: Int?
  private var isDismissing = false
  /// The time at which the subscribers of all sessions are notified that they missed changes, in milliseconds since 1970; `nil` if they missed none.
  private var miss: Int?
  /// The time of the last notification about missed changes, in milliseconds since 1970.
  private var lastMiss = 0
  private let clock: any Clock
  private let work: Work

  /// The maximum time between two checks whether the clients of waiting requests are still connected, in milliseconds.
  private static let longestInterval = 2_000
  /// The minimum milliseconds between two notifications about missed changes, because each makes the subscribers read the list of sessions
  /// again.
  private static let missInterval = 1_000

  /// The work that other threads do for the processor. The results come as messages.
  struct Work {
    /// Reads a page of a session's history after an entry.
    let readPage: (SessionIdentity, RevisionTag) -> Void
    /// Reads the newest state of a session.
    let readSession: (String) -> Void
    /// Calls back when a listener is ready for more events.
    let ask: (String, Int, any SessionListener) -> Void
    /// Records a session whose newest known entry the journal has lost.
    let noteLoss: (SessionLoss) -> Void
  }

  init(_ clock: any Clock, _ work: Work) {
    self.clock = clock
    self.work = work
  }

  /// The `Monotonic` time of the next due work; `nil` if no work is planned.
  var deadline: UInt64? {
    guard let time = [look, miss, allSessions.end].compactMap({ $0 }).min() else { return nil }
    return Monotonic.deadline(after: .milliseconds(min(max(0, time - clock.now()), 5_000)))
  }

  /// Processes messages, then due work.
  func take(_ messages: [FeedMessage]) {
    for message in messages { take(message) }
    let now = clock.now()
    if let time = miss, time <= now {
      (miss, lastMiss) = (nil, now)
      allSessions.miss()
    }
    guard let time = look, time <= now else { return }
    look = nil
    for id in subscribers.keys {
      subscribers[id]?.look(at: now)
      if let patience = subscribers[id]?.patience { expect(patience, now) }
    }
  }

  /// Returns `true` once, when no subscriber of all sessions is expected any more (`AllSessionsFeed.isOver`).
  func isAllOver() -> Bool { allSessions.isOver(at: clock.now()) }

  /// Ends all subscriptions.
  func end() {
    for id in subscribers.keys {
      subscribers[id]?.end(.stopping)
      subscribers[id]?.dismiss()
    }
    allSessions.end(.stopping)
  }

  private func take(_ message: FeedMessage) {
    switch message {
    case .joined(let session, let number, let received, let seen, let identity, let listener):
      subscribers[session, default: SessionSubscribers()].join(number, received: received, seen: seen, identity, listener)
      readOn(session)
    case .waits(let identity, let waiter):
      if isDismissing { return waiter.end(.stopping) }
      subscribers[identity.id, default: SessionSubscribers()].wait(waiter, identity)
      expect(waiter.time, clock.now())
      readOn(identity.id)
    case .left(let session, let number, let isLast):
      if isLast { subscribers.removeValue(forKey: session)?.releaseBasis() } else { subscribers[session]?.leave(number) }
    case .looks(let number, let received, let subscriber): allSessions.join(number, received: received, subscriber)
    case .looksAway(let number): allSessions.leave(number, at: clock.now())
    case .committed(let note): take(note)
    case .changed(let changes):
      for change in changes {
        subscribers[change.session, default: SessionSubscribers()].take(change)
        readOn(change.session)
      }
    case .missed: noteMiss()
    case .page(let session, let tag, let page):
      subscribers[session]?.take(page, behind: tag) { [work] number, listener in work.ask(session, number, listener) }
      readOn(session)
    case .found(let id, let session):
      if let lost = subscribers[id]?.take(session, ask: { [work] number, listener in work.ask(id, number, listener) }) {
        if case .success(let session) = session { work.noteLoss(SessionLoss(id, lost: lost, newest: session.tag)) }
        noteMiss()
      }
      readOn(id)
    case .ready(let session, let number):
      subscribers[session]?.ready(number)
      readOn(session)
    case .dismiss:
      isDismissing = true
      for id in subscribers.keys { subscribers[id]?.dismiss() }
    }
  }

  private func take(_ note: Note) {
    if note.hasSubscribers {
      subscribers[note.identity.id, default: SessionSubscribers()].take(note)
      readOn(note.identity.id)
    }
    if note.isForAll { allSessions.take(note, at: clock.now()) }
  }

  /// Reads the entries or the state that a session's subscribers need, unless a read is running.
  private func readOn(_ session: String) {
    guard let identity = subscribers[session]?.identity, let need = subscribers[session]?.need() else { return }
    switch need {
    case .page(let tag): work.readPage(identity, tag)
    case .session: work.readSession(session)
    }
  }

  private func noteMiss() { miss = miss ?? max(clock.now(), lastMiss + Self.missInterval) }

  private func expect(_ time: Int, _ now: Int) { look = min(look ?? .max, time, now + Self.longestInterval) }
}
