import CairnCore

/// The subscribers of all sessions. Only for the feed's thread.
struct Panorama {
  private final class Viewer {
    let onlooker: any Onlooker
    /// The last number that it has received.
    var heard: Int

    init(_ onlooker: any Onlooker, heard: Int) {
      self.onlooker = onlooker
      self.heard = heard
    }
  }

  /// For how many milliseconds what happens is kept for those who left and may come again.
  static let patience = 60_000

  private var viewers: [Int: Viewer] = [:]
  private var recent = Recent<Tiding>(limit: 4_096, weight: 8 << 20)
  /// When a reconnection is no longer expected, milliseconds since 1970; `nil` if there is a subscriber, or none is expected.
  private(set) var end: Int?

  init() {}

  /// Adds a subscriber that has received events up to a number; `nil`: a new one.
  mutating func join(_ number: Int, heard: Int?, _ onlooker: any Onlooker) {
    end = nil
    let viewer = Viewer(onlooker, heard: recent.newest)
    viewers[number] = viewer
    if let heard, recent.covers(after: heard) {
      viewer.heard = heard
      deliver()
    } else {
      onlooker.reset(at: recent.newest)
    }
  }

  /// Removes a subscriber.
  mutating func leave(_ number: Int, at now: Int) {
    viewers[number] = nil
    if viewers.isEmpty { end = now + Self.patience }
  }

  /// Whether no subscriber exists or is expected; then the backlog is dropped.
  mutating func isOver(at now: Int) -> Bool {
    guard let end, end <= now else { return false }
    self.end = nil
    skip()
    return true
  }

  /// A commit has changed a session, or ended it.
  mutating func take(_ note: Note, at now: Int) {
    if note.isLacking {
      skip()
      for viewer in viewers.values {
        viewer.heard = recent.newest
        viewer.onlooker.reset(at: recent.newest)
      }
    }
    for occurrence in note.occurrences { add(.happened(occurrence)) }
    if let ending = note.ending { add(.ended(note.birth, ending, at: now)) }
    deliver()
  }

  /// Ends all subscriptions.
  mutating func end(_ ending: FeedEnding) {
    for viewer in viewers.values { viewer.onlooker.end(ending) }
    viewers = [:]
  }

  /// Records a gap behind the newest event: a subscriber that comes with a number up to there has missed it.
  private mutating func skip() { recent.empty(newest: recent.newest + 1) }

  private mutating func add(_ content: Tiding.Content) {
    let tiding = Tiding(recent.newest + 1, content)
    recent.add(tiding, weight: tiding.weight)
  }

  private func deliver() {
    let newest = recent.newest
    for viewer in viewers.values where viewer.heard < newest {
      // No commit is as large as what is kept, but for one that holds very much at once.
      guard recent.covers(after: viewer.heard) else {
        viewer.heard = newest
        viewer.onlooker.reset(at: newest)
        continue
      }
      let news = recent.items(after: viewer.heard)
      viewer.heard = newest
      viewer.onlooker.hear(news)
    }
  }
}
