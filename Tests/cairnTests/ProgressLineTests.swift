import CairnStore
import CairnTesting
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `The line of progress` {
  /// The texts that are written for three shares of a total of 10, 150 ms apart.
  private func written(isTerminal: Bool, hasLinesElsewhere: Bool = false, columns: Int? = nil) -> [String] {
    var (texts, time) = ([String](), UInt64(0))
    let line = ProgressLine(
      isTerminal: isTerminal, hasLinesElsewhere: hasLinesElsewhere, columns: { columns }, now: { time }, write: { texts.append($0) })
    for done in [0, 5, 10] {
      line.show("\(done) checked", done: done, of: 10)
      time += 150_000_000
    }
    line.end()
    return texts
  }

  @Test func `a terminal gets a bar at most every 200 ms, and nothing before the first 200 ms`() {
    let full = String(repeating: "#", count: 30)
    #expect(written(isTerminal: true) == ["\r[\(full)] 10 checked\u{1B}[K", "\r\u{1B}[K"])
  }

  @Test func `a line is cut to the width of the terminal, so that it stays on one row`() {
    #expect(written(isTerminal: true, columns: 10) == ["\r[########\u{1B}[K", "\r\u{1B}[K"])
  }

  @Test func `another output gets nothing, or a line for each change`() {
    #expect(written(isTerminal: false) == [])
    #expect(written(isTerminal: false, hasLinesElsewhere: true) == ["0 checked\n", "5 checked\n", "10 checked\n"])
  }

  @Test func `a check shows how many sessions of the journal it has checked`() throws {
    let journal = MemoryJournal()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b", "c"] { try bench.create(id) }
    var texts: [String] = []
    let line = ProgressLine(isTerminal: true, interval: 0, columns: { nil }, write: { texts.append($0) })
    line.checking(journal)(1)
    #expect(texts == ["\r[##########....................] checked: 1 of 3 sessions\u{1B}[K"])
  }

  @Test func `a line that was never written is not erased`() {
    var texts: [String] = []
    let line = ProgressLine(isTerminal: true, columns: { nil }, now: { 0 }, write: { texts.append($0) })
    line.show("soon")
    line.end()
    #expect(texts == [])
  }
}
