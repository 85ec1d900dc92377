import CairnRuntime
import CairnServer

/// Log lines on their way to stderr: whoever has one leaves it here, and a thread of its own formats and writes them, many at a time.
/// What finds no room is dropped, counted and told; nobody waits for whoever reads stderr. Any thread.
final class LogQueue: RequestLog {
  private enum Item {
    case request(RequestRecord)
    /// A whole line without its end.
    case line(String)
  }

  private struct Desk {
    var items: [Item] = []
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

  func add(_ record: RequestRecord) { add(.request(record)) }

  /// Adds a line that is formatted already.
  func add(_ line: String) { add(.line(line)) }

  /// Writes what is there, without a pause, and ends; waits so long at most. Lines that come later are lost.
  func close(within duration: Duration = .seconds(1)) {
    desk.change { $0.isClosed = true }
    isHurried.change { $0 = true }
    _ = isDone.wait(until: Monotonic.deadline(after: duration)) { $0 ? true : nil }
  }

  private func add(_ item: Item) {
    let isFirst = desk.withLock { desk in
      guard desk.items.count < capacity else {
        desk.dropped += 1
        return false
      }
      desk.items.append(item)
      return desk.items.count == 1
    }
    // The thread waits for something to do only when there is nothing.
    if isFirst { desk.change { _ in } }
  }

  private static func run(_ desk: Monitor<Desk>, _ isHurried: Monitor<Bool>, _ write: ([UInt8]) -> Void) {
    var told = 0
    var text = LogText()
    var items: [Item] = []
    while true {
      let dropped: Int? = desk.wait { desk in
        guard !desk.items.isEmpty || desk.isClosed else { return nil }
        // The two take turns: neither grows anew each time.
        swap(&desk.items, &items)
        return desk.dropped
      }
      guard let dropped, !items.isEmpty else { return }
      for item in items {
        switch item {
        case .request(let record): text.add(record)
        case .line(let line): text.add(line)
        }
        if text.bytes.count >= 1 << 16 { write(text.take()) }
      }
      items.removeAll(keepingCapacity: true)
      if dropped > told {
        text.add(dropped: dropped - told)
        told = dropped
      }
      write(text.take())
      _ = isHurried.wait(until: Monotonic.deadline(after: pause)) { $0 ? true : nil }
    }
  }
}
