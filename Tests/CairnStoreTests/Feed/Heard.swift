import CairnCore
import CairnRuntime
import CairnStore
import CairnTesting

/// A listener that keeps what it hears, and whether something was left out or came twice.
final class Heard: SessionListener {
  private struct Contents {
    var occurrences: [Occurrence] = []
    var last: Int
    var faults: [String] = []
    var ending: FeedEnding?
    var isPatient = false
    var asked: [@Sendable () -> Void] = []
  }

  private let contents: Monitor<Contents>

  /// Expects what comes behind a revision.
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

  /// From now on it takes a page only on request.
  func takePagesWhenTold() { contents.change { $0.isPatient = true } }

  /// Takes a further page; blocks until the feed has asked whether it is ready.
  func takePage() throws {
    let note = try contents.wait(for: "the question whether the listener is ready") { $0.asked.isEmpty ? nil : $0.asked.removeFirst() }
    note()
  }

  /// Blocks until it has heard of a revision.
  func wait(for revision: Int) throws {
    try contents.wait(for: "revision \(revision)") { $0.last >= revision || $0.ending != nil ? () : nil }
  }

  /// Blocks until nothing more comes, and says why.
  func ending() throws -> FeedEnding {
    try contents.wait(for: "the end of the feed", \.ending)
  }
}

extension StoreBench {
  /// Subscribes behind a revision; `nil`: behind the newest.
  func listen(to id: String, behind revision: Int? = nil) throws -> (subscription: Subscription, heard: Heard) {
    let subscription = store.feed.subscription(id)
    let session = try session(id)
    let behind = revision ?? session.state.revision
    let heard = Heard(behind: behind)
    subscription.join(behind: behind, of: session, heard)
    return (subscription, heard)
  }
}
