import CairnAPI
import CairnRuntime
import Glibc
import Logging
import Synchronization

/// Counts requests and logs them. Any thread.
final class Telemetry: Sendable {
  private let log: Logger
  private let level: Logger.Level
  private let lines: any RequestLog
  /// Separate counts for the connection threads, so that they do not wait for each other's locks.
  private let shares = (0..<8).map { _ in Lock(Tally()) }
  private let unshown = Atomic(0)
  private let refusals: RefusalTally
  /// Whether a refusal during the stop has been logged.
  private let hasToldOfStop = Atomic(false)
  private let repeated = Atomic(0)
  private let plannedPosts = Atomic(0)

  /// `lines` is the log of requests; if it is `nil`, they go to `log` without a queue. `now` returns nanoseconds and limits the rate of logged
  /// refusals.
  init(_ log: Logger, lines: (any RequestLog)?, now: @escaping @Sendable () -> UInt64) {
    self.log = log
    level = log.logLevel
    self.lines = lines ?? PlainRequestLog(log: log)
    refusals = RefusalTally(log, now: now)
  }

  /// The counts of requests.
  var requests: Tally { shares.reduce(into: Tally()) { all, share in all.add(share.withLock { $0 }) } }

  /// The number of notifications that were not shown.
  var suppressions: Int { unshown.load(ordering: .relaxed) }

  /// The number of dropped log lines.
  var droppedLines: Int { lines.dropped }

  /// The number of refusals by limit.
  var refused: [Limit: Int] { refusals.counts }

  /// The number of repeated requests under a key, which got the stored response.
  var replays: Int { repeated.load(ordering: .relaxed) }

  /// Counts a repeated request under a key.
  func replayed() { repeated.add(1, ordering: .relaxed) }

  /// The number of planned POSTs.
  var plans: Int { plannedPosts.load(ordering: .relaxed) }

  /// Counts a planned POST.
  func planned() { plannedPosts.add(1, ordering: .relaxed) }

  /// Counts a notification that was not shown.
  func suppressed() { unshown.add(1, ordering: .relaxed) }

  /// Counts a refusal.
  func refused(for limit: Limit, address: String) { refusals.add(limit, address: address) }

  /// Counts and logs a request that was answered, or whose client disconnected before.
  func answered(_ record: RequestRecord) {
    counted(record)
    told(record)
  }

  /// Counts a stream that has begun. It is logged when it ends.
  func counted(_ record: RequestRecord) {
    // Thread handles are addresses of blocks as large as a stack, so their low bits are equal.
    shares[Int(UInt(pthread_self()) >> 12 & 7)].withLock { $0.add(record) }
  }

  /// Logs a stream that has ended.
  func told(_ record: RequestRecord) {
    if isWorthALine(record) { lines.add(record) }
  }

  /// Whether a request is logged. Requests of operators are logged at any level. Refusals by limits are summarized, and refusals during the stop are
  /// logged once.
  private func isWorthALine(_ record: RequestRecord) -> Bool {
    guard level <= record.level || record.role == .operator else { return false }
    switch record.status {
    case 429: return false
    case 503 where record.result == ProblemCode.stopping.rawValue: return !hasToldOfStop.exchange(true, ordering: .relaxed)
    default: return true
    }
  }

  /// The maximum number of ids per log line.
  private static let idsInLine = 100

  /// Logs that an operator deleted these sessions. `filter` is the path with the filter, `app` the app in it. Logged at any level, in as many lines
  /// as the ids need, numbered by `part`.
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

  /// Logs the text of the journal's error.
  func storageFailed(_ text: String) { log.error("storage", metadata: ["reason": "\(text)"]) }
}
