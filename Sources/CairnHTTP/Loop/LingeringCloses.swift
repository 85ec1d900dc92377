import Glibc

/// The lingering closes of one loop. Used only on the loop's thread.
struct LingeringCloses {
  private var all: [LingeringClose] = []

  /// The number of lingering closes from which a connection that is refused is closed at once, without a response. A connection that was
  /// accepted always gets its last response.
  private static let limit = 64

  /// Whether one more connection can be refused with a response.
  var hasRoom: Bool { all.count < Self.limit }

  /// The descriptors and events for `poll`, in order.
  var watched: [pollfd] { all.map(\.watch) }

  /// Nanoseconds until the earliest deadline; `nil` if no close is in progress.
  func remaining(at now: UInt64) -> UInt64? { all.map { $0.remaining(at: now) }.min() }

  /// Adds a response and takes ownership of `descriptor`.
  mutating func add(_ answer: [UInt8], on descriptor: Int32, host: String, now: UInt64) {
    all.append(LingeringClose(descriptor, host: host, answer: answer, now: now))
  }

  /// Continues all closes that are not finished. `polled` contains the results of `poll` for `watched`, and may be empty. Calls `end` with
  /// the address of each connection that has ended.
  mutating func tend(_ now: UInt64, _ polled: ArraySlice<pollfd>, end: (String) -> Void) {
    guard !all.isEmpty else { return }
    for index in all.indices.reversed() {
      let isReady = index < polled.count && polled[polled.startIndex + index].revents != 0
      if all[index].isOver(at: now, isReady: isReady) { end(all.remove(at: index).host) }
    }
  }

  /// Closes all of these connections at once, and calls `end` with the address of each.
  mutating func close(end: (String) -> Void) {
    while let lingering = all.popLast() { end(lingering.host) }
  }
}
