import CairnAPI
import CairnRuntime
import CairnServer
import Logging

/// A buffer of lines in logfmt.
struct LogText {
  private(set) var bytes: [UInt8] = []
  private var second = Int.min
  private var secondText: [UInt8] = []

  /// Adds a formatted line and its line break.
  mutating func add(_ line: String) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds the line of a request.
  mutating func add(_ record: borrowing RequestRecord) {
    noteSecond(of: record.time)
    withUnsafeTemporaryAllocation(byteCount: LogLine.room(for: record), alignment: 1) { room in
      var line = LogLine(room)
      secondText.withUnsafeBytes { line.put($0) }
      line.put(digits: record.time % 1_000)
      line.put(UInt8(ascii: "Z"))
      line.put(record)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<line.count]))
    }
  }

  /// Adds a line that reports the number of dropped lines.
  mutating func add(dropped: Int) {
    let time = Int(WallClock.now())
    noteSecond(of: time)
    bytes += secondText
    for unit in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(time / unit % 10)) }
    add("Z level=warning message=\"log lines were dropped\" count=\(dropped)")
  }

  /// Empties the text and keeps its memory.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Updates `secondText`, the beginning of all lines of one second: `time=` and the time without milliseconds.
  private mutating func noteSecond(of time: Int) {
    guard time / 1_000 != second else { return }
    second = time / 1_000
    secondText = Array("time=\(Timestamp.text(second * 1_000).dropLast(4))".utf8)
  }
}
