import CairnRuntime
import CairnServer

/// Buffers log lines for stderr. Any thread appends a line to one text; a thread of the queue writes many lines at a time. A line that does
/// not fit is dropped, counted and reported; no caller waits for the reader of stderr.
final class LogQueue: RequestLog {
  private struct Desk {
    var text = LogText()
    /// In the text.
    var lines = 0
    var dropped = 0
    var isClosed = false
  }

  /// How long lines are gathered, so that a busy service does not wake the thread for each.
  private static let pause = Duration.milliseconds(20)

  private let capacity: Int
  private let desk = Monitor(Desk())
  private let isHurried = Monitor(false)
  private let isDone = Monitor(false)

  /// Starts the thread. `write` takes whole lines and may block, for as long as it likes.
  init(capacity: Int = 1 << 14, write: @escaping @Sendable ([UInt8]) -> Void = { Terminal.complain($0) }) throws(ThreadError) {
    self.capacity = capacity
    // The thread ends with `close`; that it is let go here detaches it.
    _ = try NamedThread("cairn-log") { [desk, isHurried, isDone] in
      Self.run(desk, isHurried, write)
      isDone.change { $0 = true }
    }
  }

  var dropped: Int { desk.withLock { $0.dropped } }

  func add(_ record: RequestRecord) { add { $0.add(record) } }

  /// Adds a line that is formatted already, without its end.
  func add(_ line: String) { add { $0.add(line) } }

  /// Writes the buffered lines without a pause and stops. Waits at most `duration`. Lines that arrive later are lost.
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
    // The thread waits for something to do only when there is nothing.
    if isFirst { desk.change { _ in } }
  }

  private static func run(_ desk: Monitor<Desk>, _ isHurried: Monitor<Bool>, _ write: ([UInt8]) -> Void) {
    var told = 0
    var text = LogText()
    while true {
      let dropped: Int? = desk.wait { desk in
        guard desk.lines > 0 || desk.isClosed else { return nil }
        // The two buffers are swapped, so that neither has to grow again.
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
