import CairnCore
import CairnJournal
import CairnRuntime
import Synchronization

/// Notifies subscribers of the commits of sessions. Without subscribers a commit costs one atomic read. Events are sent after their commit. Missed events are
/// read from the journal on the readers' threads. One thread notifies all subscribers. Thread-safe.
package final class Feed: Sendable {
  private struct Inbox {
    /// The number of subscriptions per session.
    var subscriberCounts: [String: Int] = [:]
    /// Whether a subscriber of all sessions exists, or may reconnect.
    var coversAllSessions = false
    var number = 0
    /// The subscribers of all sessions that wait for `admit`. The reader of a shared journal must know its position first.
    var coming: [(number: Int, message: FeedMessage)] = []
    var messages: [FeedMessage] = []
    /// The number of events in `messages`.
    var weight = 0
    var isOpen = true
    var isNudged = false
  }

  /// The maximum number of events that wait for the feed's thread. Further events are dropped. Subscribers of one session get the dropped
  /// events from the journal; subscribers of all sessions are reset.
  private static let limit = 4_096

  private let inbox = Monitor(Inbox())
  /// The number of subscriptions to single sessions, plus 1 while `coversAllSessions` is set. Atomic, so that the writer needs no lock if
  /// it is 0.
  private let listening = Atomic(0)
  private let waitingNow = Atomic(0)
  private let clock: any Clock
  /// Whether other nodes commit to the journal.
  private let isShared: Bool
  private let thread = Lock<NamedThread?>(nil)
  private let watched = Lock<(@Sendable () -> Void)?>(nil)
  /// The sessions that this node has ended while it had subscribers of all sessions.
  private let ends = Lock(RecentlyUsed<String, (SessionIdentity, FeedEnding)>(limit: 10_000))

  init(_ clock: any Clock, isShared: Bool) {
    self.clock = clock
    self.isShared = isShared
  }

  /// Whether the writer must pass its commits to the feed.
  var isActive: Bool { listening.load(ordering: .relaxed) > 0 }

  /// The number of requests that wait for a change of a session.
  package var waiting: Int { waitingNow.load(ordering: .relaxed) }

  /// Adds to the number of waiting requests.
  func count(_ difference: Int) { waitingNow.add(difference, ordering: .relaxed) }

  /// Creates a subscription to a session. Can be called on any thread.
  package func subscription(_ session: String) -> Subscription {
    listening.add(1, ordering: .sequentiallyConsistent)
    let number = inbox.withLock { inbox in
      inbox.number += 1
      inbox.subscriberCounts[session, default: 0] += 1
      return inbox.number
    }
    return Subscription(session, number, of: self)
  }

  /// Subscribes to the events of all sessions. `received` is the number of the last event that the subscriber has received; `nil` means new
  /// events only. Returns the subscription's number for `leave`. The feed retains the subscriber until `leave` is called. Can be called on
  /// any thread.
  package func join(received: Int?, _ subscriber: any AllSessionsSubscriber) -> Int {
    let number = inbox.change { inbox in
      if !inbox.coversAllSessions { listening.add(1, ordering: .sequentiallyConsistent) }
      inbox.coversAllSessions = true
      inbox.number += 1
      let message = FeedMessage.looks(inbox.number, received: received, subscriber)
      if isShared { inbox.coming.append((inbox.number, message)) } else { inbox.messages.append(message) }
      return inbox.number
    }
    watched.withLock { $0 }?()
    return number
  }

  /// Ends a subscription to all sessions. Can be called on any thread.
  package func leave(_ number: Int) {
    inbox.change { inbox in
      inbox.coming.removeAll { $0.number == number }
      if inbox.isOpen { inbox.messages.append(.looksAway(number)) }
    }
  }

  /// Ends all waits for changes because the server stops. Later waits end at once. Can be called on any thread.
  package func dismiss() { put(.dismiss) }

  func left(_ session: String, _ number: Int) {
    listening.subtract(1, ordering: .relaxed)
    inbox.change { inbox in
      let count = inbox.subscriberCounts[session, default: 1] - 1
      inbox.subscriberCounts[session] = count == 0 ? nil : count
      inbox.messages.append(.left(session, number, isLast: count == 0))
    }
  }

  /// Sends a message to the feed's thread. Returns `false` if the feed has stopped and discards the message.
  @discardableResult func put(_ message: FeedMessage) -> Bool {
    inbox.change { inbox in
      if inbox.isOpen { inbox.messages.append(message) }
      return inbox.isOpen
    }
  }

  /// The ids of the sessions with subscriptions.
  var received: [String] { inbox.withLock { Array($0.subscriberCounts.keys) } }

  /// Sets a function to call when a subscriber of all sessions joins, and after each commit while there is such a subscriber. Only for a
  /// journal that nodes share.
  func whenWatched(_ wake: @escaping @Sendable () -> Void) { watched.withLock { $0 = wake } }

  /// Adds the subscribers of all sessions in `coming`. They receive all later commits.
  func admit() {
    let isNobodyComing = inbox.withLock { $0.coming.isEmpty }
    if isNobodyComing { return }
    inbox.change { inbox in
      inbox.messages += inbox.coming.map(\.message)
      inbox.coming = []
    }
  }

  /// The identity of a session that this node has ended, and the reason; `nil` if the session is not in `ends`.
  func end(of session: String) -> (SessionIdentity, FeedEnding)? { ends.withLock { $0[session] } }

  /// Whether there are subscribers of all sessions, or one may reconnect.
  var coversAllSessions: Bool { inbox.withLock { $0.coversAllSessions } }

  /// Sends changes of other nodes to the feed's thread. Changes of a session are sent as soon as its subscription exists, even before
  /// `join`, because the subscriber may have read the session before the change. `notes` are the events for the subscribers of all
  /// sessions; `isMissing` is set if `notes` lacks some events.
  func send(_ changes: [SessionChange], notes: [Note], isMissing: Bool) {
    inbox.change { inbox in
      guard inbox.isOpen else { return }
      let received = changes.filter { !$0.isOwn && inbox.subscriberCounts[$0.session] != nil }
      if !received.isEmpty { inbox.messages.append(.changed(received)) }
      guard inbox.coversAllSessions else { return }
      for note in notes { inbox.messages.append(.committed(note)) }
      if isMissing { inbox.messages.append(.missed) }
    }
  }

  /// Sends the events of a commit to the feed's thread. Called on the writer's thread only.
  func send(_ committed: some Sequence<Staged>) {
    guard isActive else { return }
    var isWatched = false
    let isNews = inbox.withLock { inbox in
      let count = inbox.messages.count
      isWatched = inbox.coversAllSessions && isShared
      for staged in committed {
        let hasSubscribers = inbox.subscriberCounts[staged.session.id] != nil
        // If nodes share the journal, only the journal determines the order of all commits, so `ChangeReader` sends these events.
        let isForAll = inbox.coversAllSessions && !isShared
        if isWatched, staged.isGone {
          ends.withLock { $0.keep((staged.session.identity, staged.isExpired ? .expired : .deleted), for: staged.session.id, weight: 1) }
        }
        guard hasSubscribers || isForAll else { continue }
        var note = Note(staged, hasSubscribers: hasSubscribers, isForAll: isForAll)
        if inbox.weight + note.occurrences.count > Self.limit { note.occurrences = [] }
        inbox.weight += note.occurrences.count
        inbox.messages.append(.committed(note))
      }
      return inbox.messages.count > count
    }
    if isNews { inbox.change { _ in } }
    if isWatched { watched.withLock { $0 }?() }
  }

  /// The functions that start reads of the journal. The feed's thread calls them; the reads run on the readers' threads.
  struct Source: Sendable {
    /// Reads a page of a session's history after a revision.
    let page: @Sendable (SessionIdentity, Int, @escaping Reply<HistoryPage<Occurrence>>) -> Void
    /// Reads the newest state of a session.
    let session: @Sendable (String, @escaping Reply<Session>) -> Void
  }

  /// Starts the feed's thread. This thread calls `noteLoss` for each session whose subscribers have received entries that the journal has
  /// lost.
  func start(reading source: Source, noteLoss: @escaping @Sendable (SessionLoss) -> Void) throws(ThreadError) {
    clock.onJump { [weak self] in self?.inbox.change { $0.isNudged = true } }
    let new = try NamedThread("cairn-feed") { [self] in
      let work = FeedProcessor.Work(
        readPage: { [self] identity, tag in
          source.page(identity, tag.revision) { [self] page in put(.page(identity.id, behind: tag, page)) }
        },
        readSession: { [self] id in source.session(id) { [self] session in put(.found(id, session)) } },
        ask: { [self] session, number, listener in listener.whenReady { [weak self] in self?.put(.ready(session, number)) } },
        noteLoss: noteLoss)
      let processor = FeedProcessor(clock, work)
      while let messages = take(until: processor.deadline) {
        processor.take(messages)
        if processor.isAllOver() { forgetAll(processor) }
      }
      processor.end()
    }
    thread.withLock { $0 = new }
  }

  /// Ends all subscriptions, and ends the thread.
  func stop() {
    inbox.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  /// Stops collecting the events of all sessions, unless a subscriber is about to join.
  private func forgetAll(_ processor: FeedProcessor) {
    inbox.withLock { inbox in
      let isComing = inbox.messages.contains { if case .looks = $0 { true } else { false } }
      guard inbox.coversAllSessions, !isComing, inbox.coming.isEmpty else { return }
      inbox.coversAllSessions = false
      listening.subtract(1, ordering: .relaxed)
    }
  }

  /// Blocks until messages arrive or the deadline (`Monotonic`) has passed. Returns an empty list after the deadline, and `nil` after the
  /// stop.
  private func take(until deadline: UInt64?) -> [FeedMessage]? {
    let taken: [FeedMessage]?? = inbox.wait(until: deadline) { inbox -> [FeedMessage]?? in
      guard !inbox.messages.isEmpty || inbox.isNudged else { return inbox.isOpen ? nil : .some(nil) }
      defer {
        inbox.messages.removeAll(keepingCapacity: true)
        inbox.weight = 0
        inbox.isNudged = false
      }
      return .some(inbox.messages)
    }
    // The deadline has passed without messages.
    return taken ?? []
  }
}
