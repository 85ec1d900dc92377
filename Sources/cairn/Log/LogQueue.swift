import CairnRuntime
import CairnServer

/// Buffers log lines for stderr or a file. Any thread can append a line; a separate thread writes many lines at a time. If the buffer is
/// full, a line is dropped, counted and reported, so that no caller waits for the output.
final class LogQueue: RequestLog {
  private struct Contents {
    var text = LogText()
    /// The number of lines in `text`.
    var lines = 0
    var dropped = 0
    var isClosed = false
  }

  /// The pause between two writes, so that the thread does not wake up for each line.
  private static let pause = Duration.milliseconds(20)

  private let capacity: Int
  private let contents = Monitor(Contents())
  private let isHurried = Monitor(false)
  private let isDone = Monitor(false)

  /// Starts the thread. `capacity` is the maximum number of buffered lines. `write` receives complete lines and may block.
  init(capacity: Int = 1 << 14, write: @escaping @Sendable ([UInt8]) -> Void = { Terminal.complain($0) }) throws(ThreadError) {
    self.capacity = capacity
    // The thread ends after `close`. Releasing the object here detaches the thread.
    _ = try NamedThread("cairn-log") { [contents, isHurried, isDone] in
      Self.run(contents, isHurried, write)
      isDone.change { $0 = true }
    }
  }

  var dropped: Int { contents.withLock { $0.dropped } }

  func add(_ record: RequestRecord) { add { $0.add(record) } }

  /// Adds a formatted line without its line break.
  func add(_ line: String) { add { $0.add(line) } }

  /// Makes the thread write the buffered lines without pauses and then end. Waits at most `duration` for that. Lines that are added later
  /// are lost.
  func close(within duration: Duration = .seconds(1)) {
    contents.change { $0.isClosed = true }
    isHurried.change { $0 = true }
    _ = isDone.wait(until: Monotonic.deadline(after: duration)) { $0 ? true : nil }
  }

  private func add(_ write: (inout LogText) -> Void) {
    let isFirst = contents.withLock { contents in
      guard contents.lines < capacity else {
        contents.dropped += 1
        return false
      }
      write(&contents.text)
      contents.lines += 1
      return contents.lines == 1
    }
    // The thread waits on the monitor only if the buffer is empty, so it is notified only of the first line.
    if isFirst { contents.change { _ in } }
  }

  private static func run(_ contents: Monitor<Contents>, _ isHurried: Monitor<Bool>, _ write: ([UInt8]) -> Void) {
    var reported = 0
    var text = LogText()
    while true {
      let dropped: Int? = contents.wait { contents in
        guard contents.lines > 0 || contents.isClosed else { return nil }
        // The two buffers are swapped, so that both keep their memory.
        swap(&contents.text, &text)
        contents.lines = 0
        return contents.dropped
      }
      guard let dropped, !text.bytes.isEmpty else { return }
      if dropped > reported {
        text.add(dropped: dropped - reported)
        reported = dropped
      }
      write(text.bytes)
      text.clear()
      _ = isHurried.wait(until: Monotonic.deadline(after: pause)) { $0 ? true : nil }
    }
  }
}
