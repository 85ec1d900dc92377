import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting

/// A listener that records the entries that it receives, and the entries that were left out or sent twice.
final class Heard: SessionListener {
  private struct Contents {
    var occurrences: [Occurrence] = []
    var last: Int
    var faults: [String] = []
    var ending: FeedEnding?
    /// The states with which the listener began again, each with the number of entries that it had received before.
    var resets: [(session: Session, entries: Int)] = []
    var isPatient = false
    var asked: [@Sendable () -> Void] = []
  }

  private let contents: Monitor<Contents>

  /// Expects the entries after a revision.
  init(behind revision: Int) { contents = Monitor(Contents(last: revision)) }

  var occurrences: [Occurrence] { contents.withLock { $0.occurrences } }
  var revisions: [Int] { occurrences.map(\.revision) }
  var last: Int { contents.withLock { $0.last } }
  var faults: [String] { contents.withLock { $0.faults } }

  func hear(_ new: ArraySlice<Occurrence>) {
    contents.change { contents in
      for occurrence in new {
        if occurrence.revision != contents.last + 1 { contents.faults.append("\(contents.last), then \(occurrence.revision)") }
        if contents.ending != nil { contents.faults.append("\(occurrence.revision) behind the end") }
        contents.last = occurrence.revision
        contents.occurrences.append(occurrence)
      }
    }
  }

  func reset(to session: Session) {
    contents.change { contents in
      contents.resets.append((session, contents.occurrences.count))
      contents.last = session.state.revision
    }
  }

  func end(_ ending: FeedEnding) {
    contents.change { contents in
      if contents.ending != nil { contents.faults.append("a second end") }
      contents.ending = ending
    }
  }

  func whenReady(_ note: @escaping @Sendable () -> Void) {
    let isPatient = contents.change { contents in
      if contents.isPatient { contents.asked.append(note) }
      return contents.isPatient
    }
    if !isPatient { note() }
  }

  /// Requests further pages only when `takePage` is called.
  func takePagesWhenTold() { contents.change { $0.isPatient = true } }

  /// Requests one more page. Blocks until the feed has called `whenReady`.
  func takePage() throws {
    let note = try contents.wait(for: "the question whether the listener is ready") { $0.asked.isEmpty ? nil : $0.asked.removeFirst() }
    note()
  }

  /// Blocks until the entry of a revision has been received or the feed has ended.
  func wait(for revision: Int) throws {
    try contents.wait(for: "revision \(revision)") { $0.last >= revision || $0.ending != nil ? () : nil }
  }

  /// Blocks until the listener has begun again, and returns the state and the entries that it has received since.
  func reset() throws -> (session: Session, entries: ArraySlice<Occurrence>) {
    try contents.wait(for: "a reset") { contents in
      contents.resets.last.map { ($0.session, contents.occurrences[$0.entries...]) }
    }
  }

  /// The number of times that the listener began again.
  var resets: Int { contents.withLock { $0.resets.count } }

  /// Blocks until the feed ends, and returns the reason.
  func ending() throws -> FeedEnding {
    try contents.wait(for: "the end of the feed", \.ending)
  }
}

extension StoreBench {
  /// Subscribes to the entries after a revision, or after the current revision if `revision` is `nil`.
  func listen(to id: String, behind revision: Int? = nil) throws -> (subscription: Subscription, heard: Heard) {
    let subscription = store.feed.subscription(id)
    let session = try session(id)
    let behind = revision ?? session.state.revision
    let heard = Heard(behind: behind)
    subscription.join(behind: RevisionTag(behind), of: session, heard)
    return (subscription, heard)
  }
}
