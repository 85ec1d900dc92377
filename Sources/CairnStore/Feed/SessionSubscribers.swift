import CairnCore

/// The subscribers of one session. Used by the feed's thread only.
struct SessionSubscribers {
  private final class Hearer {
    let listener: any SessionListener
    /// The last revision that the subscriber has received.
    var heard: Int
    /// Whether the subscriber has received a page of history and is not ready for more.
    var isFull = false

    init(_ listener: any SessionListener, heard: Int) {
      self.listener = listener
      self.heard = heard
    }
  }

  private var hearers: [Int: Hearer] = [:]
  private var waiters: [Int: Waiter] = [:]
  /// The newest known revision, and the latest events.
  private var recent = Recent<Occurrence>(limit: 64, weight: 256 << 10)
  private var ending: FeedEnding?
  /// Whether a page of the history is being read.
  private var isReading = false
  private(set) var birth: Birth?

  init() {}

  /// The earliest deadline of the waiting requests, in milliseconds since 1970; `nil` if there are none.
  var patience: Int? { waiters.values.lazy.map(\.time).min() }

  /// Adds a subscriber. `heard` is the revision that it has received, `seen` the revision at which it read the session.
  mutating func join(_ number: Int, heard: Int, seen: Int, _ birth: Birth, _ listener: any SessionListener) {
    if let ending { return listener.end(ending) }
    self.birth = birth
    // The revision that the subscriber read is committed, even if its events have not arrived here.
    if seen > recent.newest { recent.empty(newest: seen) }
    hearers[number] = Hearer(listener, heard: heard)
    deliver()
  }

  /// Adds a request that waits for a change after a revision.
  mutating func wait(_ waiter: Waiter) {
    if ending != nil || recent.newest > waiter.revision { return waiter.end(.changed) }
    waiters[waiter.number] = waiter
  }

  /// Removes a subscriber.
  mutating func leave(_ number: Int) {
    hearers[number] = nil
    waiters[number] = nil
  }

  /// Processes a commit that changed or ended the session.
  mutating func take(_ note: Note) {
    guard ending == nil else { return }
    if note.revision > recent.newest {
      // Leaves out entries that a subscriber has read already.
      let news = note.occurrences.drop { $0.revision <= recent.newest }
      if news.first?.revision != recent.newest + 1 { recent.empty(newest: note.revision - news.count) }
      if !news.isEmpty { releaseBasis() }
      for occurrence in news { recent.add(occurrence, weight: occurrence.weight) }
    }
    deliver()
    // Subscribers that have not received what is forgotten now get the whole session when they reconnect.
    if note.beginning != nil { recent.empty(newest: recent.newest) }
    if let ending = note.ending { end(ending) }
    for waiter in waiters.values where ending != nil || waiter.revision < note.revision {
      waiters[waiter.number] = nil
      waiter.end(.changed)
    }
  }

  /// Processes a change by another node. Its entries are read from the journal.
  mutating func take(_ change: SessionChange) {
    guard ending == nil else { return }
    if let revision = change.revision {
      if revision > recent.newest { recent.empty(newest: revision) }
    } else {
      end(.deleted)
    }
    for waiter in waiters.values where ending != nil || waiter.revision < recent.newest {
      waiters[waiter.number] = nil
      waiter.end(.changed)
    }
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
    for hearer in hearers.values { hearer.listener.end(ending) }
    hearers = [:]
  }

  /// Ends all waiting requests because the server stops.
  mutating func dismiss() {
    for waiter in waiters.values { waiter.end(.stopping) }
    waiters = [:]
  }

  /// Releases the state of the newest event, for which predictions are computed.
  func releaseBasis() {
    if recent.covers(after: recent.newest - 1) { recent.items(after: recent.newest - 1).last?.setBasis(nil) }
  }

  /// The revision after which the history must be read; `nil` if no subscriber needs it. Marks the read as running.
  mutating func read() -> Int? {
    guard !isReading, let first = hearers.values.filter({ isBehind($0) && !$0.isFull }).map(\.heard).min() else { return nil }
    isReading = true
    return first
  }

  /// Sends a page of the history to the subscribers that missed it. `ask` is called for each of them. They receive no further events until they are
  /// ready.
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
      // These subscribers reconnect with their last revision.
      for (number, hearer) in hearers where isBehind(hearer) {
        hearers[number] = nil
        hearer.listener.end(.fault)
      }
    }
  }

  /// Marks a subscriber as ready for more events after a page of history.
  mutating func ready(_ number: Int) {
    hearers[number]?.isFull = false
    deliver()
  }

  private func isBehind(_ hearer: Hearer) -> Bool { hearer.heard < recent.newest && !recent.covers(after: hearer.heard) }

  /// Sends each subscriber the events that it has not received, if they are all available.
  private func deliver() {
    let newest = recent.newest
    for hearer in hearers.values where !hearer.isFull && hearer.heard < newest && recent.covers(after: hearer.heard) {
      let news = recent.items(after: hearer.heard)
      hearer.heard = newest
      hearer.listener.hear(news)
    }
  }
}
