import CairnJournal
import CairnRuntime

/// Whether the journal takes commits, as the writer finds it and the statistics show it. Used on the writer's thread only.
final class JournalHealth {
  private let parts: StoreParts
  /// The time of the next probe while the journal fails, in milliseconds since 1970; `nil` if it works.
  private(set) var probeTime: Int?

  init(_ parts: StoreParts) { self.parts = parts }

  /// The journal fails from the start.
  func begin(with fault: JournalError) {
    parts.figures.withLock { $0.journalFault = "\(fault)" }
    probeTime = parts.clock.now()
  }

  /// A commit failed. A fault is logged once until another one follows.
  func fail(_ error: JournalError) {
    let text = "\(error)"
    let isNew = parts.figures.withLock { figures in
      defer { figures.journalFault = text }
      return figures.journalFault != text
    }
    if isNew { parts.log(.journalFailed(error)) }
    probeTime = parts.clock.now() + parts.limits.retry
  }

  /// Checks whether a failing journal works again, so that a service without traffic recovers too.
  func probe() {
    guard let time = probeTime, time <= parts.clock.now() else { return }
    do {
      try parts.journal.writer.probe()
      recovered()
    } catch {
      probeTime = parts.clock.now() + parts.limits.retry
    }
  }

  /// The journal has taken a commit.
  func recovered() {
    guard probeTime != nil else { return }
    probeTime = nil
    parts.figures.withLock { $0.journalFault = nil }
    parts.log(.journalRecovered)
  }
}
