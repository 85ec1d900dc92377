import CairnCore
import CairnTesting
import Testing

private let app = """
  app: times
  language: 1
  root: main
  facts: { opensAt: { type: optional any }, f: { type: integer, default: 0 } }
  screens: { home: { emits: { planned: null, chained: null, went: null, cleared: null, moved: { at: any } } }, page: { emits: [went] } }
  rules: [{ when: { passed: $fact.opensAt }, send: opened }]
  flows:
    main:
      stack: home
      idle: { for: 1m, send: locked }
      handle:
        planned: { timer: { at: 10000, send: due, name: plan }, of: flow }
        chained: { timer: { at: 0, send: chained }, of: flow }
        went: { push: page }
        moved: { write: { opensAt: $at } }
        cleared: { cancel: all }
        due: { push: page }
        opened: { write: { f: 1 } }
        locked: { write: { f: 2 } }
  """

@Suite struct `Times that are known at run time` {
  private func drive(_ text: String = app) throws -> Drive { try Drive(text, creation: Creation(manualClock: true)) }

  @Test func `a moment that has passed is due as an entry of its own`() throws {
    var drive = try drive()
    drive.advance(20_000)
    let revision = drive.state.revision
    drive.step("planned")
    #expect(drive.sketch == "main[home]" && drive.state.revision == revision + 1)
    drive.advance(0)
    #expect(drive.sketch == "main[home, page]" && drive.state.revision == revision + 2)
  }

  @Test func `a timer that is due at once and starts itself again waits between its steps`() throws {
    var drive = try drive()
    drive.step("chained")
    drive.advance(950)
    // The first step is sent at once, and the others every 100 ms.
    #expect(drive.state.effects.filter { $0.owner != nil && $0.due > drive.state.manualTime ?? 0 }.count == 2)
  }

  @Test func `the session has a timer only for the next moment`() throws {
    var drive = try drive()
    drive.step("moved", ["at": 5_000])
    #expect(drive.state.effects.filter(\.isWake).map(\.due) == [5_000])
    drive.step("moved", ["at": 9_000])
    #expect(drive.state.effects.filter(\.isWake).map(\.due) == [9_000])
    drive.advance(9_000)
    #expect(drive.state.facts["f"] == 1 && drive.state.effects.filter(\.isWake) == [])
    drive.step("moved", ["at": "no moment"])
    #expect(drive.state.effects.filter(\.isWake) == [])
  }

  @Test func `an undo restores moments, and starts the time without an action again`() throws {
    var drive = try drive()
    drive.step("planned")
    drive.step("moved", ["at": 20_000])
    let past = drive.state
    drive.advance(30_000)
    #expect(drive.sketch == "main[home, page]" && drive.state.facts["f"] == 1)
    var state = drive.state
    let stamp = Stamp(time: 31_000, nonce: "undo")
    _ = drive.reducer.restore(past, in: &state, of: drive.reducer, stamp: stamp)
    #expect(state.effects.map(\.due).sorted() == [10_000, 20_000, 91_000])
    let entries = try drive.reducer.advance(&state, by: 0, nonce: "due").entries
    #expect(entries.count == 2 && state.facts["f"] == 1 && drive.reducer.tree(of: state).sketch == "main[home, page]")
  }

  @Test func `a fork keeps deadlines`() throws {
    var drive = try drive()
    drive.step("planned")
    drive.step("moved", ["at": 20_000])
    #expect(drive.reducer.forked(drive.state, at: 0).effects == drive.state.effects)
  }

  @Test func `cancel does not end the time without an action`() throws {
    var drive = try drive()
    drive.step("planned")
    drive.run(.step(Step("cleared"), from: nil))
    drive.advance(60_000)
    #expect(drive.state.facts["f"] == 2)
  }

  @Test func `a migration keeps deadlines under new names`() throws {
    var drive = try MigrationDrive(app, creation: Creation(manualClock: true))
    drive.step("planned")
    drive.step("moved", ["at": 20_000])
    drive.advance(1_000)
    let before = drive.state.effects
    let new = app.replacing("due", with: "late").replacing("locked", with: "shut").replacing("main", with: "base").replacing(
      "opensAt", with: "startsAt")
    try drive.migrate(
      to: new,
      Migration(
        flows: ["main": .keep(as: "base", params: [:])],
        steps: ["due": .keep(as: "late", params: [:]), "locked": .keep(as: "shut", params: [:])],
        facts: ["opensAt": .keep(as: "startsAt")]))
    #expect(drive.reason == nil && drive.state.effects.map(\.due) == before.map(\.due) && drive.state.effects.map(\.id) == before.map(\.id))
    drive.advance(9_000)
    #expect(drive.sketch == "base[home, page]")
    drive.advance(10_000)
    #expect(drive.state.facts["f"] == 1)
    drive.advance(41_000)
    #expect(drive.state.facts["f"] == 2)
  }

  @Test func `a replay gives the same state`() throws {
    var drive = try drive()
    for time in [0, 4_000, 90_000] {
      drive.advance(time)
      drive.step("moved", ["at": .integer(time + 7_000)])
      drive.step("planned")
    }
    #expect(try drive.replayed() == drive.state)
  }
}
