import CairnCore
import CairnRuntime
import Logging

/// Counts requests and writes their log lines. Any thread.
final class Telemetry: Sendable {
  struct Key: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  struct Series {
    var count = 0
    var seconds = 0.0
    /// By bucket, not yet summed up; the last one is for all that is longer.
    var buckets = [Int](repeating: 0, count: Telemetry.bounds.count + 1)
  }

  struct Snapshot {
    var requests: [Key: Series] = [:]
    var suppressed = 0
  }

  /// Upper bounds of the duration's buckets, in seconds.
  static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]

  private let log: Logger
  private let counts = Lock(Snapshot())

  init(_ log: Logger) { self.log = log }

  var snapshot: Snapshot { counts.withLock { $0 } }

  /// A notification was not shown.
  func suppressed() { counts.withLock { $0.suppressed += 1 } }

  /// A request was answered.
  func answered(_ record: RequestRecord) {
    let seconds = Double(record.nanoseconds) / 1e9
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    counts.withLock { counts in
      var series = counts.requests[Key(record)] ?? Series()
      series.count += 1
      series.seconds += seconds
      series.buckets[bucket] += 1
      counts.requests[Key(record)] = series
    }
    write(record)
  }

  /// The client went away before its answer.
  func closedEarly(_ record: RequestRecord) { answered(record) }

  /// The journal said why it could not do it.
  func storageFailed(_ text: String) { log.error("storage", metadata: ["reason": "\(text)"]) }

  private func write(_ record: RequestRecord) {
    let level: Logger.Level = record.status >= 500 ? .error : .info
    guard log.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "method": "\(record.methodLabel)", "route": "\(record.routeLabel)", "status": "\(record.status)",
      "ms": "\(Double(record.nanoseconds / 1_000) / 1_000)", "request": "\(record.requestID)",
    ]
    if let session = record.session { metadata["session"] = "\(session)" }
    if let trace = record.traceID { metadata["trace"] = "\(trace)" }
    if let result = record.result { metadata["result"] = "\(result)" }
    log.log(level: level, "request", metadata: metadata)
  }
}

extension Telemetry.Key {
  init(_ record: RequestRecord) {
    self.init(method: record.methodLabel, route: record.routeLabel, status: record.status)
  }
}
