import CairnCore
import CairnJournal

/// The subscribers of all sessions. Used by the feed's thread only.
struct AllSessionsFeed {
  private final class Viewer {
    let subscriber: any AllSessionsSubscriber
    /// The number of the last event that the subscriber has received.
    var received: Int

    init(_ subscriber: any AllSessionsSubscriber, received: Int) {
      self.subscriber = subscriber
      self.received = received
    }
  }

  /// The milliseconds for which events are still collected when the last subscriber has left. The subscriber can reconnect in this time.
  static let patience = 60_000

  private var viewers: [Int: Viewer] = [:]
  private var recent = Recent<FeedEvent>(limit: 4_096, weight: 8 << 20)
  /// The time until which a subscriber is expected to reconnect, in milliseconds since 1970. `nil` if there are subscribers, or if none is
  /// expected.
  private(set) var end: Int?

  init() {}

  /// Adds a subscriber that has received the events up to the number `received`, and sends it the later events. Resets the subscriber if it
  /// is new (`received` is `nil`), or if the backlog does not contain all later events.
  mutating func join(_ number: Int, received: Int?, _ subscriber: any AllSessionsSubscriber) {
    end = nil
    let viewer = Viewer(subscriber, received: recent.newest)
    viewers[number] = viewer
    if let received, recent.covers(after: received) {
      viewer.received = received
      deliver()
    } else {
      subscriber.reset(at: recent.newest)
    }
  }

  /// Removes a subscriber.
  mutating func leave(_ number: Int, at now: Int) {
    viewers[number] = nil
    if viewers.isEmpty { end = now + Self.patience }
  }

  /// Drops the backlog and returns `true`, once, when the time for a subscriber to reconnect has passed.
  mutating func isOver(at now: Int) -> Bool {
    guard let end, end <= now else { return false }
    self.end = nil
    skip()
    return true
  }

  /// Processes a commit that changed or ended a session.
  mutating func take(_ note: Note, at now: Int) {
    if note.isLacking { miss() }
    for occurrence in note.occurrences { add(.happened(occurrence)) }
    if let beginning = note.beginning {
      deliver()
      recent.replace { event in
        event.isForgotten(by: note.identity.id, before: beginning) ? FeedEvent(event.number, .forgotten(note.identity)) : nil
      }
    }
    if let ending = note.ending { add(.ended(note.identity, ending, at: now)) }
    deliver()
  }

  /// Notifies the subscribers that they missed events.
  mutating func miss() {
    guard !viewers.isEmpty else { return }
    skip()
    for viewer in viewers.values {
      viewer.received = recent.newest
      viewer.subscriber.reset(at: recent.newest)
    }
  }

  /// Ends all subscriptions.
  mutating func end(_ ending: FeedEnding) {
    for viewer in viewers.values { viewer.subscriber.end(ending) }
    viewers = [:]
  }

  /// Drops the backlog and skips a number, so that subscribers with an earlier number learn that they missed events.
  private mutating func skip() { recent.empty(newest: recent.newest + 1) }

  private mutating func add(_ content: FeedEvent.Content) {
    let event = FeedEvent(recent.newest + 1, content)
    recent.add(event, weight: event.weight)
  }

  private func deliver() {
    let newest = recent.newest
    for viewer in viewers.values where viewer.received < newest {
      // The backlog lacks events of the commit only if they are very large.
      guard recent.covers(after: viewer.received) else {
        viewer.received = newest
        viewer.subscriber.reset(at: newest)
        continue
      }
      let news = recent.items(after: viewer.received)
      viewer.received = newest
      viewer.subscriber.hear(news)
    }
  }
}
