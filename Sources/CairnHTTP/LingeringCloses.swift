import Glibc

/// All final responses of a loop that are being sent and read. Only for its thread.
struct LingeringCloses {
  private var all: [LingeringClose] = []

  /// The highest number; beyond it new connections are closed without a response.
  private static let limit = 64

  /// Whether one more connection can be refused with a response.
  var hasRoom: Bool { all.count < Self.limit }

  /// The conditions to wait for, in order.
  var watched: [pollfd] { all.map(\.watch) }

  /// Nanoseconds until the first deadline; `nil` if there is none.
  func remaining(at now: UInt64) -> UInt64? { all.map { $0.remaining(at: now) }.min() }

  /// One more, which takes `descriptor` over.
  mutating func add(_ answer: [UInt8], on descriptor: Int32, host: String, now: UInt64) {
    all.append(LingeringClose(descriptor, host: host, answer: answer, now: now))
  }

  /// Continues all, with the results of `poll` for what was `watched`, if it was called. `end` gets the host of each that has ended.
  mutating func tend(_ now: UInt64, _ polled: ArraySlice<pollfd>, end: (String) -> Void) {
    guard !all.isEmpty else { return }
    for index in all.indices.reversed() {
      let isReady = index < polled.count && polled[polled.startIndex + index].revents != 0
      if all[index].isOver(at: now, isReady: isReady) { end(all.remove(at: index).host) }
    }
  }

  /// Ends all.
  mutating func close(end: (String) -> Void) {
    while let lingering = all.popLast() { end(lingering.host) }
  }
}
