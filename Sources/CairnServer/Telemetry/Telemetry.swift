import CairnRuntime
import Glibc
import Logging
import Synchronization

/// Counts requests and has their lines written. Any thread.
final class Telemetry: Sendable {
  private let log: Logger
  private let level: Logger.Level
  private let lines: any RequestLog
  /// A share for each connection thread, as far as they go round, so that they do not wait for one another.
  private let shares = (0..<8).map { _ in Lock(Tally()) }
  private let unshown = Atomic(0)
  private let repeated = Atomic(0)

  /// `lines`: where requests are told; nil: to `log`, at once.
  init(_ log: Logger, lines: (any RequestLog)?) {
    self.log = log
    level = log.logLevel
    self.lines = lines ?? PlainRequestLog(log: log)
  }

  /// What was counted so far.
  var requests: Tally { shares.reduce(into: Tally()) { all, share in all.add(share.withLock { $0 }) } }

  /// Notifications that were not shown.
  var suppressions: Int { unshown.load(ordering: .relaxed) }

  /// Log lines that were dropped.
  var droppedLines: Int { lines.dropped }

  /// Requests under a key that got the answer of the first.
  var replays: Int { repeated.load(ordering: .relaxed) }

  /// A request under a key got the answer of the first.
  func replayed() { repeated.add(1, ordering: .relaxed) }

  /// A notification was not shown.
  func suppressed() { unshown.add(1, ordering: .relaxed) }

  /// A request was answered, or its client went away before.
  func answered(_ record: RequestRecord) {
    // Thread handles are addresses of blocks as large as a stack: their low bits are all alike.
    shares[Int(UInt(pthread_self()) >> 12 & 7)].withLock { $0.add(record) }
    if level <= record.level { lines.add(record) }
  }

  /// The journal said why it could not do it.
  func storageFailed(_ text: String) { log.error("storage", metadata: ["reason": "\(text)"]) }
}
