import CairnCore
import CairnTesting
import Testing

/// Loads that restart themselves.
@Suite struct `Loads that restart themselves` {
  /// A session on a manual clock, in an app whose flow has these handlers.
  private func drive(_ handlers: String, rules: String = "[]") throws -> Drive {
    try Drive(
      """
      app: again
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { isOn: { type: boolean, default: false } }
      screens: { home: {}, page: {} }
      steps: { go: , loaded: , other: , gone: }
      rules: \(rules)
      flows:
        main:
          stack: home
          handle:
      \(handlers.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
      """, creation: Creation(manualClock: true))
  }

  /// The number of entries that are written in one second of the clock after the step `go`.
  private func entriesInASecond(_ drive: Drive) throws -> Int {
    var drive = drive
    drive.step("go")
    let count = drive.entries.count
    drive.advance(1_000)
    #expect(drive.refusal == nil && drive.broken == [])
    #expect(try drive.replayed() == drive.state)
    return drive.entries.count - count
  }

  @Test func `a load that restarts itself at its end has the minimum interval of a timer`() throws {
    let drive = try drive(
      """
      go: { load: { value: 1, then: loaded } }
      loaded: { load: { value: 1, then: loaded } }
      """)
    // The first load runs at once, and one further load runs every 100 ms.
    #expect(try entriesInASecond(drive) == 1 + 10)
  }

  @Test func `a cycle of loads, steps and rules has the same bound`() throws {
    let chain = try drive(
      """
      go: { load: { value: 1, then: loaded } }
      loaded: { load: { value: 1, delay: 20ms, then: other } }
      other: { send: go }
      """)
    #expect(try entriesInASecond(chain) <= 12)
    let ruled = try drive(
      """
      go: { write: { isOn: true } }
      other: { load: { value: 1, then: loaded } }
      loaded: [{ write: { isOn: false } }, { write: { isOn: true } }]
      """, rules: "[{ when: { fact: isOn }, send: other }]")
    #expect(try entriesInASecond(ruled) <= 12)
  }

  @Test func `a cycle through the left step of a node has the same bound`() throws {
    let drive = try drive(
      """
      go: { load: { value: 1, then: loaded }, of: flow }
      loaded: [{ push: { screen: page, removed: gone } }, popToRoot]
      gone: { load: { value: 1, then: loaded }, of: flow }
      """)
    #expect(try entriesInASecond(drive) <= 12)
  }

  @Test func `a chain of loads without a cycle does not wait`() throws {
    let drive = try drive(
      """
      go: { load: { value: 1, then: loaded } }
      loaded: { load: { value: 2, then: other } }
      other: { push: page }
      """)
    var moved = drive
    moved.step("go")
    moved.advance(0)
    #expect(moved.sketch == "main[home~2, page]")
  }
}
