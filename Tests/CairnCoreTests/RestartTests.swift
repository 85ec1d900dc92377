import CairnCore
import CairnTesting
import Testing

/// Loads that start themselves again.
@Suite struct `A load that starts itself again` {
  /// A session of an app whose flow handles steps like this, on a manual clock.
  private func drive(_ handlers: String, rules: String = "[]") throws -> Drive {
    try Drive(
      """
      app: again
      root: { flow: main }
      facts: { isOn: { type: boolean, default: false } }
      screens: { home: {}, page: {} }
      steps: { go: , loaded: { internal: true }, other: { internal: true }, gone: { internal: true } }
      rules: \(rules)
      flows:
        main:
          container: stack
          root: home
          handle:
      \(handlers.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
      """, creation: Creation(manualClock: true))
  }

  /// How many entries a second of the clock takes once a step has begun it.
  private func entriesInASecond(_ drive: Drive) throws -> Int {
    var drive = drive
    drive.step("go")
    let count = drive.entries.count
    drive.advance(1_000)
    #expect(drive.refusal == nil && drive.broken == [])
    #expect(try drive.replayed() == drive.state)
    return drive.entries.count - count
  }

  @Test func `a load that its own end starts again counts as a timer of the shortest kind (D10)`() throws {
    let drive = try drive(
      """
      go: { load: { value: 1, then: loaded } }
      loaded: { load: { value: 1, then: loaded } }
      """)
    // The first at once, then one each 100 ms.
    #expect(try entriesInASecond(drive) == 1 + 10)
  }

  @Test func `a chain of loads, steps and rules that leads back to itself is bounded too (D10)`() throws {
    let chain = try drive(
      """
      go: { load: { value: 1, then: loaded } }
      loaded: { load: { value: 1, delay: 20ms, then: other } }
      other: { forward: { step: go, to: current } }
      """)
    #expect(try entriesInASecond(chain) <= 12)
    let ruled = try drive(
      """
      go: { write: { isOn: true } }
      other: { load: { value: 1, then: loaded } }
      loaded: [{ write: { isOn: false } }, { write: { isOn: true } }]
      """, rules: "[{ when: { fact: isOn }, step: other }]")
    #expect(try entriesInASecond(ruled) <= 12)
  }

  @Test func `so is one that leads over a node that leaves (D10)`() throws {
    let drive = try drive(
      """
      go: { load: { value: 1, then: loaded }, on: flow }
      loaded: [{ push: { screen: page, left: gone } }, popToRoot]
      gone: { load: { value: 1, then: loaded }, on: flow }
      """)
    #expect(try entriesInASecond(drive) <= 12)
  }

  @Test func `a load that leads to another one, and not back, does not wait`() throws {
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
