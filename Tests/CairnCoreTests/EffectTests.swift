import CairnCore
import CairnTesting
import Testing

private let effects = """
  app: effects
  language: 1
  compat: { covered: accept }
  root: { flow: main }
  screens: { home: { emits: &all [load, reload, watch, more] }, counter: { emits: *all }, clock: { emits: *all } }
  steps:
    load:
    reload:
    watch:
    tick:
    came: { count: integer }
    failed:
    more:
  flows:
    main:
      stack: home
      handle:
        load: { push: counter, load: { value: { count: 0 }, delay: 1s, then: { step: came, with: { count: $result.count } } } }
        reload: { load: { value: { count: 5 }, delay: 500ms, restart: true } }
        watch: { push: clock, content: { count: 0 }, timer: { every: 5s, send: tick } }
        tick: [ { when: { content: count, is: 2 }, do: [] }, { do: { content: { count: { add: 1 } } } } ]
        came: []
        failed: []
        more: { content: { count: { add: 1 } } }
  """

@Suite struct `Effects` {
  private func drive() throws -> Drive { try Drive(effects, creation: Creation(manualClock: true)) }

  @Test func `a load shows that it is loading, then its value`() throws {
    var drive = try drive()
    drive.step("load")
    #expect(drive.sketch == "main[home, counter~loading]")
    #expect(drive.last.started.count == 1)
    drive.advance(999)
    #expect(drive.sketch == "main[home, counter~loading]")
    drive.advance(1)
    #expect(drive.sketch == "main[home, counter~{count:0}]")
    #expect(drive.steps == ["main came"])
    #expect(drive.last.changes.count == 1)
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }

  @Test func `content that is not loaded cannot be incremented`() throws {
    var drive = try drive()
    drive.step("load")
    drive.step("more")
    #expect(drive.outcome == "unchanged (not-loaded)")
    drive.advance(1_000)
    drive.step("more")
    #expect(drive.sketch == "main[home, counter~{count:1}]")
  }

  @Test func `a load ends with its node, however the node is removed`() throws {
    var drive = try drive()
    drive.step("load")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.last.cancelled == [1])
    drive.advance(5_000)
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `a second request while one runs changes nothing, unless it restarts`() throws {
    var drive = try drive()
    drive.step("load")
    drive.advance(900)
    drive.step("reload")
    #expect(drive.last.cancelled == [1])
    drive.advance(100)
    #expect(drive.sketch == "main[home, counter~loading]")
    drive.advance(400)
    #expect(drive.sketch == "main[home, counter~{count:5}]")
  }

  @Test func `a repeating timer ticks relative to its start, and a tick without a change writes nothing`() throws {
    var drive = try drive()
    drive.step("watch")
    let before = drive.state.revision
    drive.advance(4_999)
    drive.advance(1)
    #expect(drive.sketch == "main[home, clock~{count:1}]")
    drive.advance(60_000)
    #expect(drive.sketch == "main[home, clock~{count:2}]")
    #expect(drive.state.revision == before + 4)
    #expect(try drive.replayed() == drive.state)
    #expect(drive.broken == [])
  }

  @Test func `a tick that changed nothing does not run again at the same time`() throws {
    var drive = try drive()
    drive.step("watch")
    drive.advance(20_000)
    #expect(drive.steps == Array(repeating: "main tick", count: 4))
    drive.advance(4_999)
    #expect(drive.steps == [])
    drive.advance(1)
    #expect(drive.steps == ["main tick"])
    #expect(drive.sketch == "main[home, clock~{count:2}]")
  }

  @Test func `an advance over more than a thousand effects is rejected and changes nothing`() throws {
    var drive = try drive()
    drive.step("watch")
    let before = drive.state
    drive.advance(5_000 * 1_001)
    #expect(drive.outcome == "advance-too-far")
    #expect(drive.state == before)
  }

  @Test func `a late or unknown completion is rejected`() throws {
    var drive = try drive()
    drive.run(.effect(id: 7, .due(tick: 1)))
    #expect(drive.outcome == "effect-gone")
    drive.step("came", ["count": 3])
    #expect(drive.outcome == "internal-step")
  }

  @Test func `only a manual clock can be advanced`() throws {
    var drive = try Drive(effects)
    drive.advance(1)
    #expect(drive.outcome == "manual-clock-only")
  }

  @Test func `missed ticks are combined into one`() throws {
    var drive = try Drive(effects)
    drive.step("watch")
    let effect = try #require(drive.state.effects.first)
    #expect(effect.tick(at: effect.start + 17_000) == 3)
    drive.run(.effect(id: effect.id, .due(tick: 3)))
    #expect(drive.state.effects.first?.due == effect.start + 20_000)
  }
}
