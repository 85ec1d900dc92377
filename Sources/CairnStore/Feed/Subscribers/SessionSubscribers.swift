import CairnCore
import CairnJournal

/// The subscribers of one session. Used only by the feed's thread. An event is sent to a subscriber only if it directly follows the last
/// entry that the subscriber received. If this is uncertain, the journal is read to determine whether known entries are lost, for example
/// by a failover to a server without them.
struct SessionSubscribers {
  /// A read that the subscribers need.
  enum Need {
    /// A page of the history after an entry.
    case page(behind: RevisionTag)
    /// The newest state, because known entries are lost.
    case session
  }

  private final class Subscriber {
    let listener: any SessionListener
    /// The last entry that the subscriber has received.
    var received: RevisionTag
    /// Whether the subscriber has received a page of history or a whole session, and is not ready for more.
    var isFull = false

    init(_ listener: any SessionListener, received: RevisionTag) {
      self.listener = listener
      self.received = received
    }
  }

  private var subscribers: [Int: Subscriber] = [:]
  private var waiters: [Int: Waiter] = [:]
  private var backlog = Backlog()
  private var ending: FeedEnding?
  /// Whether a read is running.
  private var isReading = false
  /// Whether the journal may lack the newest known entry, so that it must be checked.
  private var isDoubtful = false
  /// Whether the newest entry is being read from the journal for this check.
  private var isChecking = false
  /// Whether the journal has lost known entries, and the newest state has not been read yet.
  private var isLost = false
  private(set) var identity: SessionIdentity?

  init() {}

  /// The earliest deadline of the waiting requests, in milliseconds since 1970; `nil` if no requests wait.
  var patience: Int? { waiters.values.lazy.map(\.time).min() }

  /// Adds a subscriber. `received` is the last entry that the subscriber has received, and `seen` is the newest entry of the session that
  /// it has read.
  mutating func join(_ number: Int, received: RevisionTag, seen: RevisionTag, _ identity: SessionIdentity, _ listener: any SessionListener)
  {
    if let ending { return listener.end(ending) }
    self.identity = identity
    see(seen)
    subscribers[number] = Subscriber(listener, received: received)
    deliver()
  }

  /// Adds a request that waits for a change.
  mutating func wait(_ waiter: Waiter, _ identity: SessionIdentity) {
    self.identity = identity
    if ending != nil { return waiter.end(.changed) }
    see(waiter.tag)
    waiters[waiter.number] = waiter
    wakeWaiters()
  }

  /// Removes a subscriber or a waiting request.
  mutating func leave(_ number: Int) {
    subscribers[number] = nil
    waiters[number] = nil
  }

  /// Processes a commit that changed or ended the session.
  mutating func take(_ note: Note) {
    guard ending == nil else { return }
    let last = backlog.last
    // After a loss, the newest state and the entries after it must be read.
    if isLost || !backlog.take(note) { isDoubtful = true }
    if let last, last.revision < backlog.newest.revision { last.setBasis(nil) }
    deliver()
    // Subscribers that have not received the forgotten entries get the whole session when they reconnect.
    if note.beginning != nil { backlog.empty(newest: backlog.newest) }
    if let ending = note.ending { end(ending) }
    wakeWaiters()
  }

  /// Processes a change by another node, or a version that was read from the journal. The new entries are read from the journal afterwards.
  mutating func take(_ change: SessionChange) {
    guard ending == nil else { return }
    if let tag = change.tag { see(tag) } else { end(.deleted) }
    wakeWaiters()
  }

  /// Ends waits whose time has passed or whose client has disconnected.
  mutating func look(at now: Int) {
    for waiter in waiters.values where waiter.time <= now || !waiter.isWanted() {
      waiters[waiter.number] = nil
      waiter.end(.timeOver)
    }
  }

  /// Ends all subscriptions of the session.
  mutating func end(_ ending: FeedEnding) {
    self.ending = ending
    for subscriber in subscribers.values { subscriber.listener.end(ending) }
    subscribers = [:]
  }

  /// Ends all waiting requests because the server stops.
  mutating func dismiss() {
    for waiter in waiters.values { waiter.end(.stopping) }
    waiters = [:]
  }

  /// Releases the state of the newest event, for which predictions are computed.
  func releaseBasis() { backlog.last?.setBasis(nil) }

  /// Returns the next read and marks it as running; `nil` if no read is needed, or if one is running.
  mutating func need() -> Need? {
    guard !isReading, ending == nil else { return nil }
    let next: Need? =
      if isLost {
        .session
      } else if isDoubtful {
        .page(behind: backlog.newest)
      } else {
        subscribers.values.filter { isBehind($0) && !$0.isFull }.map(\.received).min { $0.revision < $1.revision }.map(Need.page)
      }
    isReading = next != nil
    isChecking = isReading && isDoubtful
    // If `isDoubtful` is set again during this read, another read must follow.
    if isReading { isDoubtful = false }
    return next
  }

  /// Sends a page of the history after the entry `known` to the subscribers that missed the page. Sends nothing if the journal no longer
  /// contains that entry. `ask` is called for each of these subscribers. They receive no other events until they are ready.
  mutating func take(
    _ page: Result<HistoryPage<Occurrence>, StoreFault>, behind known: RevisionTag, ask: (Int, any SessionListener) -> Void
  ) {
    isReading = false
    switch page {
    case .failure(.unknownSession): end(.deleted)
    case .failure(.unknownRevision): isLost = true
    case .failure: endWithFault(isChecking ? { _ in true } : isBehind)
    case .success(let page):
      guard let base = page.base, base.agrees(with: known) else { return isLost = true }
      let tags = [base] + page.items.map(\.tag)
      guard let last = tags.last, zip(tags, base.revision...).allSatisfy({ $0.revision == $1 }) else { return endWithFault(isBehind) }
      if last.revision > backlog.newest.revision { backlog.empty(newest: last) } else { backlog.learn(last) }
      // The journal ends before the newest known entry, or the last entry of the page differs from the known entry of this revision.
      if tags.count == 1 && last.revision < backlog.newest.revision || backlog.tag(at: last.revision)?.agrees(with: last) == false {
        isDoubtful = true
      }
      for (number, subscriber) in subscribers where isBehind(subscriber) && !subscriber.isFull {
        guard (base.revision..<last.revision).contains(subscriber.received.revision) else { continue }
        let place = subscriber.received.revision - base.revision
        guard tags[place].agrees(with: subscriber.received) else { return isLost = true }
        subscriber.received = last
        subscriber.isFull = true
        subscriber.listener.hear(page.items[place...])
        ask(number, subscriber.listener)
      }
      deliver()
    }
    wakeWaiters()
  }

  /// Sends the newest state to all subscribers, after known entries were lost. Returns the tag of the newest entry that was known before;
  /// `nil` if the state could not be read. `ask` is called for each subscriber. Subscribers receive no further events until they are ready.
  mutating func take(
    _ session: Result<Session, StoreFault>, ask: (Int, any SessionListener) -> Void
  ) -> RevisionTag? {
    isReading = false
    isLost = false
    defer { wakeWaiters() }
    switch session {
    case .failure(.unknownSession): end(.deleted)
    case .failure: endWithFault { _ in true }
    case .success(let session):
      let lost = backlog.newest
      backlog.empty(newest: session.tag)
      for (number, subscriber) in subscribers {
        subscriber.received = session.tag
        subscriber.isFull = true
        subscriber.listener.reset(to: session)
        ask(number, subscriber.listener)
      }
      return lost
    }
    return nil
  }

  /// Marks a subscriber as ready for more events after a page of history or a whole session.
  mutating func ready(_ number: Int) {
    subscribers[number]?.isFull = false
    deliver()
  }

  /// Records a session's newest entry. The entry is committed, even if its event has not arrived yet.
  private mutating func see(_ tag: RevisionTag) {
    guard !isLost else { return isDoubtful = true }
    if tag.revision > backlog.newest.revision { return backlog.empty(newest: tag) }
    // An older entry was usually read before later ones were committed. After a failover, however, it may be the newest entry, and the
    // later ones may be lost.
    if tag.mark == nil || !tag.agrees(with: backlog.newest) { isDoubtful = true }
  }

  /// Ends the waits of the clients that do not know the newest entry.
  private mutating func wakeWaiters() {
    guard ending != nil || !(isDoubtful || isLost) else { return }
    for waiter in waiters.values where ending != nil || !waiter.tag.agrees(with: backlog.newest) {
      waiters[waiter.number] = nil
      waiter.end(.changed)
    }
  }

  /// Ends subscriptions for which the journal could not be read. Their clients reconnect with their last revision.
  private mutating func endWithFault(_ isConcerned: (Subscriber) -> Bool) {
    for (number, subscriber) in subscribers where isConcerned(subscriber) {
      subscribers[number] = nil
      subscriber.listener.end(.fault)
    }
  }

  private func isBehind(_ subscriber: Subscriber) -> Bool {
    subscriber.received.revision < backlog.newest.revision && !backlog.covers(after: subscriber.received.revision)
  }

  /// Sends each subscriber the events that it has not received, if they are all available.
  private mutating func deliver() {
    let newest = backlog.newest
    for subscriber in subscribers.values where !subscriber.isFull && subscriber.received.revision < newest.revision {
      guard backlog.covers(after: subscriber.received.revision) else { continue }
      guard backlog.tag(at: subscriber.received.revision)?.agrees(with: subscriber.received) ?? true else {
        isDoubtful = true
        continue
      }
      let news = backlog.events(after: subscriber.received.revision)
      subscriber.received = newest
      subscriber.listener.hear(news)
    }
  }
}
