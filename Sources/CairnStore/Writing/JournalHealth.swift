import CairnJournal
import CairnRuntime

/// Records whether the journal accepts commits, and publishes it in the statistics. Used on the writer's thread only.
final class JournalHealth {
  private let parts: StoreParts
  /// The time of the next probe while the journal fails, in milliseconds since 1970; `nil` if it works.
  private(set) var probeTime: Int?

  init(_ parts: StoreParts) { self.parts = parts }

  /// Records that the journal could not be written when it was opened. The first probe is due immediately.
  func begin(with fault: JournalError) {
    parts.figures.withLock { $0.journalFault = "\(fault)" }
    probeTime = parts.clock.now()
  }

  /// Records that a commit failed. The error is logged unless it equals the previous error.
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

  /// Records that the journal has accepted a commit. Logs the recovery if the journal failed before.
  func recovered() {
    guard probeTime != nil else { return }
    probeTime = nil
    parts.figures.withLock { $0.journalFault = nil }
    parts.log(.journalRecovered)
  }
}
