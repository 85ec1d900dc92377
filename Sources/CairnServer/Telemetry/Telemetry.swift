import CairnAPI
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
  private let refusals: RefusalTally
  /// Whether a refusal during the stop has been logged already.
  private let hasToldOfStop = Atomic(false)
  private let repeated = Atomic(0)
  private let plannedPosts = Atomic(0)

  /// `lines`: the log of requests; `nil`: they go to `log`, at once. `now`: nanoseconds, for the rate of logged refusals.
  init(_ log: Logger, lines: (any RequestLog)?, now: @escaping @Sendable () -> UInt64) {
    self.log = log
    level = log.logLevel
    self.lines = lines ?? PlainRequestLog(log: log)
    refusals = RefusalTally(log, now: now)
  }

  /// The counts so far.
  var requests: Tally { shares.reduce(into: Tally()) { all, share in all.add(share.withLock { $0 }) } }

  /// Notifications that were not shown.
  var suppressions: Int { unshown.load(ordering: .relaxed) }

  /// Log lines that were dropped.
  var droppedLines: Int { lines.dropped }

  /// The number of refusals of each limit.
  var refused: [Limit: Int] { refusals.counts }

  /// Requests under a key that got the answer of the first.
  var replays: Int { repeated.load(ordering: .relaxed) }

  /// A request under a key got the answer of the first.
  func replayed() { repeated.add(1, ordering: .relaxed) }

  /// Posts that were planned.
  var plans: Int { plannedPosts.load(ordering: .relaxed) }

  /// A post was planned.
  func planned() { plannedPosts.add(1, ordering: .relaxed) }

  /// A notification was not shown.
  func suppressed() { unshown.add(1, ordering: .relaxed) }

  /// Counts a refusal.
  func refused(for limit: Limit, address: String) { refusals.add(limit, address: address) }

  /// A request was answered, or its client went away before.
  func answered(_ record: RequestRecord) {
    counted(record)
    told(record)
  }

  /// Counts a stream that has begun; it is logged when it ends.
  func counted(_ record: RequestRecord) {
    // Thread handles are addresses of blocks as large as a stack: their low bits are all alike.
    shares[Int(UInt(pthread_self()) >> 12 & 7)].withLock { $0.add(record) }
  }

  /// Logs a stream that has ended; it was counted when it began.
  func told(_ record: RequestRecord) {
    if isWorthALine(record) { lines.add(record) }
  }

  /// Whether a request is logged. An operator's request is logged at any level. Refusals by limits are logged together, and those during
  /// the stop once.
  private func isWorthALine(_ record: RequestRecord) -> Bool {
    guard level <= record.level || record.role == .operator else { return false }
    switch record.status {
    case 429: return false
    case 503 where record.result == ProblemCode.stopping.rawValue: return !hasToldOfStop.exchange(true, ordering: .relaxed)
    default: return true
    }
  }

  /// Ids in one line of the log.
  private static let idsInLine = 100

  /// An operator has ended these sessions; `filter` is the path that says which, `app` the app that it names. Told at any level, in as many
  /// lines as the ids need: `part` counts them.
  func ended(_ sessions: [String], where filter: String, app: String?, by who: String?, requestID: String) {
    var audit = log
    audit.logLevel = .notice
    var metadata: Logger.Metadata = [
      "action": "end-sessions", "count": "\(sessions.count)", "filter": "\(filter)", "request": "\(requestID)",
    ]
    if let app { metadata["app"] = "\(app)" }
    if let who { metadata["who"] = "\(who)" }
    let parts = max(1, (sessions.count + Self.idsInLine - 1) / Self.idsInLine)
    for part in 1...parts {
      metadata["part"] = "\(part)/\(parts)"
      metadata["ids"] = "\(sessions.dropFirst((part - 1) * Self.idsInLine).prefix(Self.idsInLine).joined(separator: ","))"
      audit.notice("audit", metadata: metadata)
    }
  }

  /// The journal said why it could not do it.
  func storageFailed(_ text: String) { log.error("storage", metadata: ["reason": "\(text)"]) }
}
