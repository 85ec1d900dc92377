import Testing

@testable import cairn

@Suite struct `Progress of an exploration` {
  /// The text that is written if the progress is reported three times, a minute apart.
  private func written(isTerminal: Bool) -> String {
    var (text, time) = ("", UInt64(0))
    let next = {
      defer { time += 60_000_000_000 }
      return time
    }
    let progress = ProgressLine(isTerminal: isTerminal, columns: { nil }, now: next, write: { text += $0 })
    for states in 1...3 { progress.showExploration(states, 10 * states, 0) }
    progress.end()
    return text
  }

  @Test func `a terminal has one line, which is overwritten and erased`() {
    let text = written(isTerminal: true)
    #expect(text.hasPrefix("\r1 state, 10 moves, ") && text.hasSuffix("\r\u{1B}[K") && !text.contains("\n"), "\(text)")
  }

  @Test func `a pipe or a file has none`() {
    #expect(written(isTerminal: false) == "")
  }
}
