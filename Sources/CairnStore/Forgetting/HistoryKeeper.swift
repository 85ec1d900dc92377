import CairnCore
import CairnJournal
import CairnRuntime

/// Forgets old history on its own thread: the older half of journals that have reached a limit, and entries that are older than their
/// session's retention.
final class HistoryKeeper: Sendable {
  private let parts: StoreParts
  private var loop: BackgroundLoop<FullJournals.Contents> { parts.fullJournals.loop }

  /// The number of sessions per page, and the time in milliseconds during which only the node with the claim runs rounds.
  private static let slice = 64
  private static let lease = 180_000
  /// The pause after each session of a round, as a multiple of the time spent on it.
  private static let rest: UInt64 = 19

  init(_ parts: StoreParts) { self.parts = parts }

  func start() throws(ThreadError) {
    let loop = loop
    parts.clock.onJump { loop.change { $0.isNudged = true } }
    try loop.start("cairn-history") { [self] in run() }
  }

  /// Ends the thread after the current session.
  func stop() { loop.stop() }

  private func run() {
    var next = Monotonic.now()
    while loop.isOpen {
      forgetOfFull()
      if Monotonic.now() >= next {
        parts.faults.round(.retention) { round() }
        next = Monotonic.deadline(after: .seconds(60))
      }
      let isNudged: Bool? = loop.wait(until: next) { contents in
        if contents.isNudged {
          contents.isNudged = false
          return true
        }
        return contents.waiting.isEmpty ? nil : false
      }
      if isNudged == true { next = Monotonic.now() }
    }
  }

  // MARK: limits

  private func forgetOfFull() {
    while let session = loop.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }), loop.isOpen {
      // If this fails, the next entry of the session queues the session again.
      if let part = olderHalf(of: session) { forget(part, of: session) }
      parts.fullJournals.finish(session)
    }
  }

  /// The older half of a session's history; `nil` if the session cannot be read, or if its history has a single state.
  private func olderHalf(of id: String) -> Forgetting? {
    parts.faults.attempt(.retention, of: id) { () throws(StoreFault) -> Forgetting? in
      let session = try parts.existing(id)
      let first = try parts.beginning(of: id)
      let middle = first &+ (session.state.revision &- first &+ 1) / 2
      guard middle > first else { return nil }
      // If the history is damaged, the whole history is forgotten, so that the session can continue.
      let past = parts.faults.attempt(.retention, of: id) { () throws(StoreFault) in try parts.past(of: session, at: middle) }
      return past.map(Forgetting.before) ?? .all
    } ?? nil
  }

  // MARK: retention

  private func round() {
    guard attempt({ () throws(JournalError) in try parts.cluster.claim(.retention, for: Self.lease) }) == true else { return }
    for hash in attempt({ () throws(JournalError) in try parts.documents.definitions() }) ?? [] {
      // If a definition cannot be read now, the old history of its sessions is forgotten in a later round.
      guard let retention = attempt({ () throws(JournalError) in try retention(of: hash) }) ?? nil else { continue }
      let moment = parts.clock.now().subtractingReportingOverflow(retention)
      if !moment.overflow { forget(before: moment.partialValue, of: hash) }
    }
  }

  /// The retention of a definition's sessions in milliseconds; `nil` if there is no limit.
  private func retention(of hash: String) throws(JournalError) -> Int? {
    // Most definitions have no retention, and need not be parsed.
    guard let text = try parts.documents.definition(hash), text.contains("\"historyRetention\"") else {
      return parts.limits.historyRetention
    }
    return try parts.library.definition(hash, in: parts.documents).definition.historyRetention ?? parts.limits.historyRetention
  }

  private func attempt<Result>(_ work: () throws(JournalError) -> Result) -> Result? { parts.faults.attempt(.retention, work) }

  /// Forgets the entries of a definition's sessions that are older than a time in milliseconds since 1970.
  private func forget(before time: Int, of definition: String) {
    var query = SessionQuery(definition: definition, createdBefore: time, limit: Self.slice)
    while loop.isOpen {
      let found = parts.faults.attempt(.retention) { [query] () throws(StoreFault) in try parts.page(query) }
      guard let page = found else { return }
      for id in page.ids {
        let began = Monotonic.now()
        // If this fails, the next round finds the session again.
        let past = parts.faults.attempt(.retention, of: id) { () throws(JournalError) in try newest(of: id, before: time) }
        if let past = past ?? nil { forget(.before(past), of: id) }
        guard loop.pause(until: Monotonic.now() + (Monotonic.now() - began) * Self.rest) else { return }
        forgetOfFull()
      }
      guard let next = page.next else { return }
      query.after = next
    }
  }

  /// The state after the last entry of a session that is older than `time`, in milliseconds since 1970; `nil` if no such entry is left.
  private func newest(of id: String, before time: Int) throws(JournalError) -> PastState? {
    guard let newest = try parts.sessions.version(of: id)?.revision else { return nil }
    // The revisions of the last entry that is known to be old, and of the last one that may be old.
    var (low, high) = (try parts.history.beginning(of: id)?.revision ?? 0, newest)
    guard low < high, try isOld(low + 1, of: id, before: time) else { return nil }
    low += 1
    while low < high {
      let middle = high - (high - low) / 2
      if try isOld(middle, of: id, before: time) { low = middle } else { high = middle - 1 }
    }
    return try parts.history.past(of: id, at: low)
  }

  private func isOld(_ revision: Int, of id: String, before time: Int) throws(JournalError) -> Bool {
    try parts.history.entries(of: id, after: revision - 1, limit: 1).first.map { $0.entry.stamp.time < time } ?? false
  }

  /// Blocks until the part is forgotten or the attempt has failed.
  private func forget(_ part: Forgetting, of session: String) {
    let isDone = Monitor(false)
    parts.mailbox.send(
      RequestJob.forgetting(part, of: session) { [faults = parts.faults] result in
        _ = faults.attempt(.retention, of: session) { () throws(StoreFault) in _ = try result.get() }
        isDone.change { $0 = true }
      })
    _ = isDone.wait { $0 ? () : nil as Void? }
  }
}
