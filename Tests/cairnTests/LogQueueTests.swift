import CairnRuntime
import CairnServer
import CairnTesting
import Logging
import Testing

@testable import cairn

@Suite struct `Log lines` {
  /// A reader that reads only while its gate is open.
  private final class Reader: Sendable {
    private let text = Monitor<[UInt8]>([])
    private let gate: Monitor<Bool>
    private let isAsked = Monitor(false)

    init(isOpen: Bool) { gate = Monitor(isOpen) }

    var lines: [String] { text.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init) }

    func open() { gate.change { $0 = true } }

    func waitUntilAsked() { _ = isAsked.wait { $0 ? true : nil } }

    @Sendable func write(_ bytes: [UInt8]) {
      isAsked.change { $0 = true }
      _ = gate.wait { $0 ? true : nil }
      text.change { $0 += bytes }
    }
  }

  @Test func `lines are written completely, in order, and all of them before the end`() throws {
    let reader = Reader(isOpen: true)
    let queue = try LogQueue(write: reader.write)
    for number in 1...1_000 { queue.add("line \(number)") }
    queue.close(within: TestTimeout.duration)
    #expect(reader.lines == (1...1_000).map { "line \($0)" })
    #expect(queue.dropped == 0)
  }

  @Test func `no caller waits for a slow reader, and dropped lines are counted and reported`() throws {
    let reader = Reader(isOpen: false)
    let queue = try LogQueue(capacity: 4, write: reader.write)
    queue.add("first")
    reader.waitUntilAsked()
    for number in 1...10 { queue.add("line \(number)") }
    #expect(queue.dropped == 6)
    queue.close(within: .milliseconds(1))
    #expect(reader.lines.isEmpty, "closing did not wait either")
    reader.open()
    queue.close(within: TestTimeout.duration)
    #expect(reader.lines.prefix(5) == ["first", "line 1", "line 2", "line 3", "line 4"])
    #expect(reader.lines.last?.hasSuffix(#" level=warning message="log lines were dropped" count=6"#) == true)
  }

  @Test(arguments: [
    (0, "0.0"), (999, "0.0"), (1_000, "0.001"), (50_000, "0.05"), (123_456, "0.123"), (1_000_000, "1.0"), (1_200_000, "1.2"),
    (12_345_678_901, "12345.678"),
  ])
  func `durations are milliseconds with as many decimals as necessary`(nanoseconds: UInt64, text: String) {
    let written = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { room in
      var line = LogLine(room)
      line.put(milliseconds: nanoseconds)
      return String(decoding: room[..<line.count], as: UTF8.self)
    }
    #expect(written == text)
    #expect("\(Double(nanoseconds / 1_000) / 1_000)" == text)
  }

  @Test func `the label of a method is its name`() {
    for method in RequestRecord.Method.allCases { #expect("\(method.label)" == method.rawValue) }
  }

  @Test func `a value is quoted if necessary, and never starts another line`() {
    #expect(LogfmtHandler.quoted("plain:1/2") == "plain:1/2" && LogfmtHandler.quoted("ä") == "ä")
    #expect(LogfmtHandler.quoted("") == #""""# && LogfmtHandler.quoted("a b") == #""a b""# && LogfmtHandler.quoted("a=b") == #""a=b""#)
    #expect(LogfmtHandler.quoted("a\nb\u{1}\"\\") == #""a\nb?\"\\""#)
  }
}
