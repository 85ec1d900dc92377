import CairnAPI
import CairnCore
import CairnRuntime
import CairnStore
import Glibc
import Logging
import Synchronization

/// Counts requests and writes their log lines. Thread-safe.
final class Telemetry: Sendable {
  private let log: Logger
  private let level: Logger.Level
  private let lines: any RequestLog
  /// The counts of requests, split into eight parts. A thread always uses the same part, which reduces contention between threads.
  private let shares = (0..<8).map { _ in Lock(Tally()) }
  private let unshown = Atomic(0)
  private let refusals: RefusalTally
  /// Whether a request that was rejected because the service is stopping has already been logged.
  private let hasToldOfStop = Atomic(false)
  /// The number of requests that were rejected because of overload since the last log line about overload, and the earliest time of the
  /// next line, in nanoseconds.
  private let overloads = Lock((count: 0, next: UInt64(0)))
  private let now: @Sendable () -> UInt64
  private let repeated = Atomic(0)
  private let plannedPosts = Atomic(0)

  /// Creates the telemetry. `lines` is the log of requests; if it is `nil`, lines are written directly to `log`. `now` returns a monotonic
  /// time in nanoseconds; it determines when refusals and overload are logged again.
  init(_ log: Logger, lines: (any RequestLog)?, now: @escaping @Sendable () -> UInt64) {
    self.log = log
    level = log.logLevel
    self.lines = lines ?? PlainRequestLog(log: log)
    refusals = RefusalTally(log, now: now)
    self.now = now
  }

  /// The counts of requests, summed over all parts.
  var requests: Tally { shares.reduce(into: Tally()) { all, share in all.add(share.withLock { $0 }) } }

  /// The number of notifications that the app's definition suppressed.
  var suppressions: Int { unshown.load(ordering: .relaxed) }

  /// The number of log lines that were dropped.
  var droppedLines: Int { lines.dropped }

  /// The number of refusals by limit.
  var refused: [Limit: Int] { refusals.counts }

  /// The number of repeated requests and numbered actions that were not performed again.
  var replays: Int { repeated.load(ordering: .relaxed) }

  /// Counts a repeated request or numbered action that was not performed again.
  func replayed() { repeated.add(1, ordering: .relaxed) }

  /// The number of posts with `?plan`, which are not performed.
  var plans: Int { plannedPosts.load(ordering: .relaxed) }

  /// Counts a post with `?plan`.
  func planned() { plannedPosts.add(1, ordering: .relaxed) }

  /// Counts a notification that the app's definition suppressed.
  func suppressed() { unshown.add(1, ordering: .relaxed) }

  /// Counts a refusal; at most one log line per limit is written in 10 s.
  func refused(for limit: Limit, address: String) { refusals.add(limit, address: address) }

  /// Counts and logs a request that was answered, or whose client disconnected before the response.
  func answered(_ record: RequestRecord) {
    counted(record)
    log(record)
  }

  /// Counts a request, or a stream when it begins. The log line of a stream is written when the stream ends.
  func counted(_ record: RequestRecord) {
    // A thread's handle is the address of a block that is at least as large as the thread's stack. Its lowest bits are equal for all
    // threads, so they are not used.
    shares[Int(UInt(pthread_self()) >> 12 & 7)].withLock { $0.add(record) }
  }

  /// Logs a request or an ended stream without counting it.
  func log(_ record: RequestRecord) {
    if isWorthALine(record) { lines.add(record) }
  }

  /// Whether a request is logged. The log level does not apply to operators' requests. Requests refused by limits are logged by
  /// `RefusalTally`. Among the requests rejected because the service is stopping, only the first is logged. Requests rejected because of
  /// overload are passed to `overloaded`, which logs at most one line per second.
  private func isWorthALine(_ record: RequestRecord) -> Bool {
    guard level <= record.level || record.role == .operator else { return false }
    switch record.status {
    case 429: return false
    case 503 where record.result == ProblemCode.overloaded.rawValue:
      overloaded(record)
      return false
    case 503 where record.result == ProblemCode.stopping.rawValue: return !hasToldOfStop.exchange(true, ordering: .relaxed)
    default: return true
    }
  }

  /// Counts a request that was rejected because of overload. Logs at most one line per second, with the number of rejected requests since
  /// the previous line.
  private func overloaded(_ record: RequestRecord) {
    let now = now()
    let count: Int? = overloads.withLock { overloads in
      overloads.count += 1
      guard now >= overloads.next else { return nil }
      defer { overloads = (0, now + 1_000_000_000) }
      return overloads.count
    }
    guard let count else { return }
    log.error(
      "overloaded", metadata: ["count": "\(count)", "route": "\(record.route?.template ?? "-")", "address": "\(record.address)"])
  }

  /// The largest number of session ids in one log line.
  private static let idsInLine = 100

  /// Logs that an operator has ended these sessions, at any log level. `filter` is the path with the filter that selected the sessions, and
  /// `app` is the app in the filter. If one line cannot contain all ids, they are split into several lines, which are numbered by `part`.
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

  /// Logs the journal's error text for a failed operation.
  func storageFailed(_ text: String) { log.error("storage", metadata: ["reason": "\(text)"]) }

  /// Converts a store's fault to a response. The journal's error text is logged and is not part of the response.
  func rejection(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") -> Rejection {
    if case .storage(let text) = fault { storageFailed(text) }
    return Rejection(fault, isArray: isArray, url: url)
  }

  /// Counts the suppressed notifications among the actions of a post.
  func countSuppressions(of posted: Posted) {
    for performed in posted.performed where performed.transition.tells(.notificationSuppressed) { suppressed() }
  }
}
