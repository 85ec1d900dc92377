import Glibc

/// The closes in progress of one loop. Only for its thread.
struct LingeringCloses {
  private var all: [LingeringClose] = []

  /// The maximum number. Beyond it new connections are closed without a response.
  private static let limit = 64

  /// Whether another connection can be rejected with a response.
  var hasRoom: Bool { all.count < Self.limit }

  /// The conditions to wait for, in order.
  var watched: [pollfd] { all.map(\.watch) }

  /// The nanoseconds until the first deadline; `nil` if there is none.
  func remaining(at now: UInt64) -> UInt64? { all.map { $0.remaining(at: now) }.min() }

  /// Adds a close, which takes `descriptor` over.
  mutating func add(_ answer: [UInt8], on descriptor: Int32, host: String, now: UInt64) {
    all.append(LingeringClose(descriptor, host: host, answer: answer, now: now))
  }

  /// Continues all closes, with the results of `poll` for `watched` if it was called. `end` receives the host of each connection that has closed.
  mutating func tend(_ now: UInt64, _ polled: ArraySlice<pollfd>, end: (String) -> Void) {
    guard !all.isEmpty else { return }
    for index in all.indices.reversed() {
      let isReady = index < polled.count && polled[polled.startIndex + index].revents != 0
      if all[index].isOver(at: now, isReady: isReady) { end(all.remove(at: index).host) }
    }
  }

  /// Closes all connections at once.
  mutating func close(end: (String) -> Void) {
    while let lingering = all.popLast() { end(lingering.host) }
  }
}
