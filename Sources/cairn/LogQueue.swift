import CairnRuntime
import CairnServer

/// Buffers log lines for stderr or a file. Any thread can append a line; a separate thread writes many lines at a time. A line that exceeds
/// the capacity is dropped, counted and reported, so that no caller waits for the output.
final class LogQueue: RequestLog {
  private struct Desk {
    var text = LogText()
    /// The number of lines in `text`.
    var lines = 0
    var dropped = 0
    var isClosed = false
  }

  /// The time for which lines are collected, so that the thread does not wake up for each line.
  private static let pause = Duration.milliseconds(20)

  private let capacity: Int
  private let desk = Monitor(Desk())
  private let isHurried = Monitor(false)
  private let isDone = Monitor(false)

  /// Starts the thread. `capacity` is the maximum number of buffered lines. `write` receives complete lines and may block.
  init(capacity: Int = 1 << 14, write: @escaping @Sendable ([UInt8]) -> Void = { Terminal.complain($0) }) throws(ThreadError) {
    self.capacity = capacity
    // The thread ends after `close`. Releasing the object here detaches the thread.
    _ = try NamedThread("cairn-log") { [desk, isHurried, isDone] in
      Self.run(desk, isHurried, write)
      isDone.change { $0 = true }
    }
  }

  var dropped: Int { desk.withLock { $0.dropped } }

  func add(_ record: RequestRecord) { add { $0.add(record) } }

  /// Adds a formatted line without its line break.
  func add(_ line: String) { add { $0.add(line) } }

  /// Writes the buffered lines without a pause, and stops. Waits at most `duration`. Lines that are added later are lost.
  func close(within duration: Duration = .seconds(1)) {
    desk.change { $0.isClosed = true }
    isHurried.change { $0 = true }
    _ = isDone.wait(until: Monotonic.deadline(after: duration)) { $0 ? true : nil }
  }

  private func add(_ write: (inout LogText) -> Void) {
    let isFirst = desk.withLock { desk in
      guard desk.lines < capacity else {
        desk.dropped += 1
        return false
      }
      write(&desk.text)
      desk.lines += 1
      return desk.lines == 1
    }
    // The thread waits on the monitor only if the buffer is empty.
    if isFirst { desk.change { _ in } }
  }

  private static func run(_ desk: Monitor<Desk>, _ isHurried: Monitor<Bool>, _ write: ([UInt8]) -> Void) {
    var told = 0
    var text = LogText()
    while true {
      let dropped: Int? = desk.wait { desk in
        guard desk.lines > 0 || desk.isClosed else { return nil }
        // Swapping the two buffers keeps their memory, so that neither has to grow again.
        swap(&desk.text, &text)
        desk.lines = 0
        return desk.dropped
      }
      guard let dropped, !text.bytes.isEmpty else { return }
      if dropped > told {
        text.add(dropped: dropped - told)
        told = dropped
      }
      write(text.bytes)
      text.clear()
      _ = isHurried.wait(until: Monotonic.deadline(after: pause)) { $0 ? true : nil }
    }
  }
}
