import CairnCore
import CairnTesting
import Testing

/// A page, and a lock that a timer presents after two minutes in the background. If the app was away for longer, a rule writes that time to
/// `wasLong` when the app reports its return.
private let vault = """
  app: vault
  language: 1
  compat: { emits: any, words: [end] }
  root: { flow: main }
  facts: { wasLong: { type: integer, default: 0 } }
  screens: { home: { emits: [] }, pin: { emits: [] }, note: {} }
  steps: { appIsLeft: {}, appIsBack: {}, longAway: {}, note: {}, lockIsDue: , unlock: {}, leave: {}, never: {} }
  rules:
    - { when: { fact: appState, is: background }, send: appIsLeft }
    - { when: { fact: appState, is: foreground }, send: appIsBack }
    - { when: { fact: away, over: 2m }, send: longAway }
  flows:
    main:
      stack: home
      emits: [note]
      handle:
        appIsLeft: { timer: { after: 2m, send: lockIsDue, name: lock }, of: flow }
        appIsBack: { cancel: lock }
        lockIsDue: { present: { flow: lock } }
        longAway: { write: { wasLong: $fact.away } }
        note: { push: note }
        unlock: dismiss
        never: []
    lock: { stack: pin, emits: [unlock, leave], handle: { leave: { end: unlock } } }
  """

@Suite struct `State of the app` {
  @Test func `a session begins in the foreground, with no time away`() throws {
    let drive = try Drive(vault)
    #expect(drive.state.facts == ["appState": "foreground", "away": 0, "wasLong": 0])
    #expect(drive.reducer.accepts(drive.state).primitives.contains("appState"))
  }

  @Test func `a report is written as a fact, and away is the time since the app left the foreground`() throws {
    var drive = try Drive(vault, creation: Creation(manualClock: true))
    drive.run(.appState(.inactive))
    drive.advance(60_000)
    drive.run(.appState(.background))
    #expect(drive.steps == ["main appIsLeft"])
    drive.advance(61_000)
    #expect(drive.state.facts["away"] == 0)
    drive.run(.appState(.foreground))
    #expect(drive.steps == ["main appIsBack", "main longAway"])
    #expect(drive.state.facts == ["appState": "foreground", "away": 121_000, "wasLong": 121_000])
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `away contains only the latest absence, and its rule is evaluated when it is written`() throws {
    var drive = try Drive(vault, creation: Creation(manualClock: true))
    drive.run(.appState(.background))
    drive.advance(119_000)
    drive.run(.appState(.foreground))
    #expect(drive.steps == ["main appIsBack"])
    drive.run(.appState(.background))
    #expect(drive.state.facts["away"] == 0)
    drive.advance(1_000)
    drive.run(.appState(.foreground))
    #expect(drive.state.facts == ["appState": "foreground", "away": 1_000, "wasLong": 0])
  }

  @Test func `a repeated report changes nothing`() throws {
    var drive = try Drive(vault)
    drive.run(.appState(.foreground))
    #expect(drive.outcome == "unchanged (no-change)")
    drive.run(.appState(.background))
    drive.run(.appState(.background))
    #expect(drive.outcome == "unchanged (no-change)")
  }

  @Test func `a timer that is due while the app is away runs before the app returns`() throws {
    var drive = try Drive(vault, creation: Creation(manualClock: true))
    drive.run(.appState(.background))
    drive.advance(120_000)
    #expect(drive.sketch == "main[home] ^ lock[pin]")
    drive.run(.appState(.foreground))
    #expect(drive.sketch == "main[home] ^ lock[pin]")
    #expect(drive.broken == [])
  }

  @Test func `an app without these facts accepts no report`() throws {
    var drive = try Drive(
      "app: deaf\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }")
    drive.run(.appState(.background))
    #expect(drive.outcome == "unchanged (no-change)")
    #expect(drive.state.facts == [:])
    #expect(!drive.reducer.accepts(drive.state).primitives.contains("appState"))
  }

  @Test func `only an appState action writes the facts`() throws {
    var drive = try Drive(vault)
    drive.run(.facts(["away": 7, "appState": "background"]))
    #expect(drive.refusal?.faults.map(\.detail) == ["can be set only by the action appState", "can be set only by the action appState"])
    #expect(throws: Refusal.self) { try Drive(vault, creation: Creation(facts: ["away": 7])) }
  }
}

@Suite struct `Steps in emits of a flow` {
  @Test func `a screen may send the steps in emits of its flows besides those of its own contract`() throws {
    var drive = try Drive(vault, creation: Creation(manualClock: true))
    func accepted() -> [String] { drive.reducer.accepts(drive.state).steps.map(\.step) }
    #expect(accepted() == ["note"])
    drive.step("never")
    #expect(drive.outcome == "not-in-contract")
    #expect(drive.refusal?.detail == "home may not emit never; it may emit note")
    drive.step("note")
    #expect(drive.sketch == "main[home, note]")
    drive.run(.appState(.background))
    drive.advance(120_000)
    #expect(accepted() == ["leave", "note", "unlock"])
    drive.step("leave")
    #expect(drive.steps == ["lock leave", "main unlock"])
    #expect(drive.sketch == "main[home, note]")
    #expect(drive.falsePromises == [])
    #expect(drive.broken == [])
  }

  @Test func `a step from a flow is checked against the same contracts`() throws {
    var drive = try Drive(vault)
    drive.step("never", from: drive.state.root)
    #expect(drive.outcome == "not-in-contract")
    drive.step("note", from: drive.state.root)
    #expect(drive.sketch == "main[home, note]")
  }
}
