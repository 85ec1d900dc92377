import CairnCore

/// The subscribers of one session. Only for the feed's thread.
struct Hub {
  private final class Hearer {
    let listener: any SessionListener
    /// The last revision that it has received.
    var heard: Int
    /// It has a page of what it missed, and is not ready for another.
    var isFull = false

    init(_ listener: any SessionListener, heard: Int) {
      self.listener = listener
      self.heard = heard
    }
  }

  private var hearers: [Int: Hearer] = [:]
  private var waiters: [Int: Waiter] = [:]
  /// The newest revision that is known, and what led there lately.
  private var recent = Recent<Occurrence>(limit: 64, weight: 256 << 10)
  private var ending: FeedEnding?
  /// A page of its history is being read.
  private var isReading = false
  private(set) var birth: Birth?

  init() {}

  /// The earliest deadline of the waiting requests, milliseconds since 1970; `nil` if there are none.
  var patience: Int? { waiters.values.lazy.map(\.time).min() }

  /// Adds a subscriber that has received a revision, of a session that was read at another.
  mutating func join(_ number: Int, heard: Int, seen: Int, _ birth: Birth, _ listener: any SessionListener) {
    if let ending { return listener.end(ending) }
    self.birth = birth
    // The subscriber has read the revision, so it is committed, whether it was sent here or not.
    if seen > recent.newest { recent.empty(newest: seen) }
    hearers[number] = Hearer(listener, heard: heard)
    deliver()
  }

  /// Adds a request that waits for a change behind a revision.
  mutating func wait(_ waiter: Waiter) {
    if ending != nil || recent.newest > waiter.revision { return waiter.end(.changed) }
    waiters[waiter.number] = waiter
  }

  /// Removes a subscriber.
  mutating func leave(_ number: Int) {
    hearers[number] = nil
    waiters[number] = nil
  }

  /// A commit has changed the session, or ended it.
  mutating func take(_ note: Note) {
    guard ending == nil else { return }
    if note.revision > recent.newest {
      // Entries that a subscriber has read already are left out.
      let news = note.occurrences.drop { $0.revision <= recent.newest }
      if news.first?.revision != recent.newest + 1 { recent.empty(newest: note.revision - news.count) }
      for occurrence in news { recent.add(occurrence, weight: occurrence.weight) }
    }
    deliver()
    if let ending = note.ending { end(ending) }
    for waiter in waiters.values where ending != nil || waiter.revision < note.revision {
      waiters[waiter.number] = nil
      waiter.end(.changed)
    }
  }

  /// Answers the waiting requests whose time has passed or whose client is gone.
  mutating func look(at now: Int) {
    for waiter in waiters.values where waiter.time <= now || !waiter.isWanted() {
      waiters[waiter.number] = nil
      waiter.end(.timeOver)
    }
  }

  /// Ends all subscriptions of the session.
  mutating func end(_ ending: FeedEnding) {
    self.ending = ending
    for hearer in hearers.values { hearer.listener.end(ending) }
    hearers = [:]
  }

  /// Answers all waiting requests.
  mutating func dismiss() {
    for waiter in waiters.values { waiter.end(.stopping) }
    waiters = [:]
  }

  /// The revision behind which the history has to be read now; `nil` if no subscriber needs it.
  mutating func read() -> Int? {
    guard !isReading, let first = hearers.values.filter({ isBehind($0) && !$0.isFull }).map(\.heard).min() else { return nil }
    isReading = true
    return first
  }

  /// Passes on a page of the history that was read behind a revision. Subscribers get the entries that they miss, and no more before they
  /// are ready: `ask` is called for each.
  mutating func take(
    _ page: Result<[Occurrence], StoreFault>, behind revision: Int, ask: (Int, any SessionListener) -> Void
  ) {
    isReading = false
    switch page {
    case .failure(.unknownSession): end(.deleted)
    case .success(let occurrences) where occurrences.first?.revision == revision + 1:
      let last = revision + occurrences.count
      for (number, hearer) in hearers where isBehind(hearer) && !hearer.isFull && hearer.heard >= revision && hearer.heard < last {
        let news = occurrences[(hearer.heard - revision)...]
        hearer.heard = last
        hearer.isFull = true
        hearer.listener.hear(news)
        ask(number, hearer.listener)
      }
      deliver()
    case .success, .failure:
      // They ask again with their last revision.
      for (number, hearer) in hearers where isBehind(hearer) {
        hearers[number] = nil
        hearer.listener.end(.fault)
      }
    }
  }

  /// A subscriber that got a page can take further events.
  mutating func ready(_ number: Int) {
    hearers[number]?.isFull = false
    deliver()
  }

  private func isBehind(_ hearer: Hearer) -> Bool { hearer.heard < recent.newest && !recent.covers(after: hearer.heard) }

  /// Sends each subscriber the events that it has not received.
  private func deliver() {
    let newest = recent.newest
    for hearer in hearers.values where !hearer.isFull && hearer.heard < newest && recent.covers(after: hearer.heard) {
      let news = recent.items(after: hearer.heard)
      hearer.heard = newest
      hearer.listener.hear(news)
    }
  }
}
