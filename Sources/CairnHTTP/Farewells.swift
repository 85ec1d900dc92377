import Glibc

/// All last answers of a loop that are being sent and read. Its thread alone.
struct Farewells {
  private var all: [Farewell] = []

  /// How many there may be before those who come are turned away without a word.
  private static let limit = 64

  /// Whether one more may be told why it may not come in.
  var hasRoom: Bool { all.count < Self.limit }

  /// What to wait for, in order.
  var watched: [pollfd] { all.map(\.watch) }

  /// Nanoseconds until one of them is over anyway; nil: there is none.
  func remaining(at now: UInt64) -> UInt64? { all.map { $0.remaining(at: now) }.min() }

  /// One more, which takes `descriptor` over.
  mutating func add(_ answer: [UInt8], on descriptor: Int32, host: String, now: UInt64) {
    all.append(Farewell(descriptor, host: host, answer: answer, now: now))
  }

  /// Goes on with all, by what `poll` said of what was `watched`, if it was asked. `end` gets the host of each that is over.
  mutating func tend(_ now: UInt64, _ polled: ArraySlice<pollfd>, end: (String) -> Void) {
    guard !all.isEmpty else { return }
    for index in all.indices.reversed() {
      let isReady = index < polled.count && polled[polled.startIndex + index].revents != 0
      if all[index].isOver(at: now, isReady: isReady) { end(all.remove(at: index).host) }
    }
  }

  /// Ends all.
  mutating func close(end: (String) -> Void) {
    while let farewell = all.popLast() { end(farewell.host) }
  }
}
