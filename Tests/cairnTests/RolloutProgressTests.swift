import CairnCore
import Testing

@testable import cairn

@Suite struct `The progress of a rollout on a terminal and elsewhere` {
  private static func rollout(_ state: String, left: Int, waiting: Int = 0, end: String? = nil) -> Value {
    var progress: [String: Value] = ["total": 300, "left": .integer(left), "perMinute": 60]
    progress["expectedEnd"] = end.map(Value.string)
    return .object(["state": .string(state), "waiting": .integer(waiting), "progress": .object(progress)])
  }

  /// The text that is written for some responses, and whether the command continues to wait after the last one.
  private static func written(_ rollouts: [Value], isTerminal: Bool) -> (text: String, goesOn: Bool) {
    var text = ""
    var goesOn = true
    let line = ProgressLine(isTerminal: isTerminal, hasLinesElsewhere: true, interval: 0, columns: { nil }, write: { text += $0 })
    for rollout in rollouts { goesOn = line.showRollout(rollout) }
    line.end()
    return (text, goesOn)
  }

  @Test func `a terminal shows one line with a bar, which is overwritten and erased`() {
    let rollouts = [Self.rollout("running", left: 200, end: "20:16"), Self.rollout("running", left: 200, end: "20:16")]
    let (text, goesOn) = Self.written(rollouts, isTerminal: true)
    let line = "[##########....................] running: 100 of 300 sessions visited, expected end at 20:16"
    #expect(text == "\r\(line)\u{1B}[K\r\u{1B}[K" && goesOn)
  }

  @Test func `another output gets a plain line for each change`() {
    let rollouts: [Value] = [
      .object(["state": "reverting"]), Self.rollout("reverting", left: 100), Self.rollout("reverting", left: 0, waiting: 2),
      Self.rollout("reverted", left: 0),
    ]
    let (text, goesOn) = Self.written(rollouts, isTerminal: false)
    #expect(
      text == """
        reverting: no session has been visited yet
        reverting: 200 of 300 sessions visited
        reverting: 300 of 300 sessions visited, 2 waiting for the condition in when
        reverted: 300 of 300 sessions visited

        """)
    #expect(!goesOn)
  }

  @Test(arguments: ["paused", "done", "stopped", "reverted"]) func `nothing is waited for in the state`(state: String) {
    #expect(!Self.written([Self.rollout(state, left: 10)], isTerminal: false).goesOn)
  }
}
