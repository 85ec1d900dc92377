import CairnRuntime
import Logging

/// Counts refusals by limit. Logs each limit at most once per 10 seconds, so that refused clients cannot fill the log. Thread-safe.
final class RefusalTally: Sendable {
  private struct Count {
    var all = 0
    var reported = 0
    /// The earliest time of the next log line, in nanoseconds.
    var quietUntil: UInt64 = 0
  }

  private static let pause: UInt64 = 10_000_000_000

  private let log: Logger
  private let now: @Sendable () -> UInt64
  private let tally = Lock<[Limit: Count]>([:])

  /// Creates the tally. `now` returns a monotonic time in nanoseconds.
  init(_ log: Logger, now: @escaping @Sendable () -> UInt64) {
    self.log = log
    self.now = now
  }

  /// The number of refusals by limit. A limit without refusals has no entry.
  var counts: [Limit: Int] { tally.withLock { $0.mapValues(\.all) } }

  /// Counts a refusal of an address. Logs at most one line per limit in 10 s, with the number of refusals since the previous line.
  func add(_ limit: Limit, address: String) {
    let now = now()
    let news: Int? = tally.withLock { tally in
      var count = tally[limit, default: Count()]
      defer { tally[limit] = count }
      count.all += 1
      guard now >= count.quietUntil else { return nil }
      count.quietUntil = now + Self.pause
      defer { count.reported = count.all }
      return count.all - count.reported
    }
    guard let news else { return }
    log.warning("refused", metadata: ["limit": "\(limit.rawValue)", "count": "\(news)", "address": "\(address)"])
  }
}
