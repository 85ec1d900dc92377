import CairnCore
import CairnTesting
import Testing

/// Tabs under a lock, a stack that is set with kept nodes, and a request that is polled.
@Suite struct `Combined features with tabs` {
  private static let app = """
    app: more
    language: 1
    compat: { emits: any }
    root: { flow: bar }
    screens: { home: {}, list: {}, page: {}, note: {}, lock: { emits: [] } }
    steps: { up: {}, over: {}, keep: {}, there: {}, poll: {}, done: {}, failed: {} }
    allowHosts: [api.example]
    flows:
      bar:
        tabs: [{ flow: first }, { flow: second }]
        back: first
        reselect: popToRoot
        handle:
          up: { present: lock, level: 9, guard: true, timer: { after: 5s, send: there } }
          there: { select: { flow: second } }
      first:
        stack: home
        handle:
          over: { present: note, of: screen }
          keep: { set: [home, list], keep: true }
          poll:
            load:
              get: "https://api.example/a"
              every: 1s
              until: { result: state, is: 3 }
              timeout: 30s
              then: done
              else: failed
          done: { push: page }
          failed: { push: note }
      second: { stack: list }
    """

  @Test func `a select by a handler works below the lock, and gestures do not`() throws {
    var drive = try Drive(Self.app, creation: Creation(manualClock: true))
    drive.step("up")
    drive.advance(5_000)
    #expect(drive.sketch == "bar<first[home], *second[list]> ^9 lock")
    for action in [Action.back, .dismiss(node: nil)] {
      drive.run(action)
      #expect(drive.outcome == "guarded")
    }
    drive.run(.select(.tab(1), node: drive.id("second")))
    #expect(drive.outcome == "hidden")
    try finish(drive)
  }

  @Test func `a kept node keeps the modal over it`() throws {
    var drive = try Drive(Self.app, creation: Creation(manualClock: true))
    drive.step("keep")
    drive.run(.popToRoot)
    drive.step("over")
    drive.step("keep", from: nil)
    #expect(drive.sketch == "bar<*first[home ^ note, list], second[list]>")
    let note = drive.id("note")
    drive.step("keep")
    #expect(drive.outcome == "unchanged (already-there)")
    #expect(drive.id("note") == note)
    try finish(drive)
  }

  @Test func `a polled request accepts posted results, and ends at its deadline`() throws {
    var drive = try Drive(Self.app, creation: Creation(manualClock: true, manualRequests: true))
    drive.step("poll")
    drive.post(.answer(RequestAnswer(.loaded(["state": 1]))))
    #expect(drive.sketch == "bar<*first[home~{state:1}], second[list]>")
    drive.post(.answer(RequestAnswer(.loaded(["state": 1]))))
    #expect(drive.outcome == "unchanged (same-result)")
    drive.post(.answer(RequestAnswer(.loaded(["state": 3]))))
    #expect(drive.sketch == "bar<*first[home~{state:3}, page], second[list]>")
    drive.step("poll")
    drive.advance(29_999)
    #expect(drive.state.effects.count == 1)
    drive.advance(1)
    #expect(drive.sketch == "bar<*first[home~{state:3}, page~failed, note], second[list]>")
    try finish(drive)
  }

  private func finish(_ drive: Drive) throws {
    #expect(drive.broken == [])
    #expect(drive.falsePromises == [])
    #expect(try drive.replayed() == drive.state)
  }
}
