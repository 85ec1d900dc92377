import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// Screens that send the steps `seen` and `unseen`. Tests/Acceptance/seen.scenarios.yaml has further cases.
private let app = """
  app: sight
  language: 1
  root: main
  facts: { count: { type: integer, default: 0 } }
  screens:
    list: { emits: [opened, pushed, alerted, raised], seen: seen, unseen: hidden }
    sheet: { emits: [closed], seen: seen, unseen: hidden }
    detail: { seen: seen, unseen: hidden }
    alertPage: { emits: [answered], seen: seen, unseen: hidden }
    lock: { emits: [closed] }
  flows:
    main:
      stack: list
      handle:
        opened: { present: sheet }
        pushed: { push: detail }
        alerted: { present: alertPage, style: alert }
        raised: { present: lock, level: 9 }
        closed: dismiss
        answered: []
        seen: []
        hidden: []
  steps: { seen: {}, hidden: {} }
  """

extension Drive {
  /// The events `seen` and `unseen` of the last action: `+list!` when the user sees the list for the first time, `+list` when the user sees it again, and
  /// `-list` when it is covered.
  fileprivate var sights: String {
    last.events.compactMap { (event) -> String? in
      guard let node = event.node, let name = state[node]?.name else { return nil }
      return switch event.type {
      case .seen: "+\(name)\(event.isFirst == true ? "!" : "")"
      case .unseen: "-\(name)"
      default: nil
      }
    }.joined(separator: " ")
  }
}

@Suite struct `Pages that the user sees` {
  @Test func `the first page is notified at the session's start`() throws {
    var drive = try Drive(app)
    #expect(drive.sights == "+list!" && drive.steps == ["main seen"])
    drive.step("opened")
    #expect(drive.sights == "-list +sheet!" && drive.steps == ["main opened", "main hidden", "main seen"])
    drive.run(.dismiss(node: nil))
    #expect(drive.sights == "+list" && drive.steps == ["main seen"] && drive.outcome == "performed")
    #expect(try drive.replayed() == drive.state && drive.broken == [])
  }

  @Test func `the notifications are a part of the state that is stored`() throws {
    var drive = try Drive(app)
    drive.step("opened")
    #expect(
      drive.state.sightings == [
        Sighting(node: drive.id("list"), isSeen: false, wasTold: true), Sighting(node: drive.id("sheet"), isSeen: true, wasTold: true),
      ])
    let read = try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version)
    #expect(read == drive.state && read.sightings == drive.state.sightings)
    drive.run(.dismiss(node: nil))
    #expect(drive.state.sightings == [Sighting(node: drive.id("list"), isSeen: true, wasTold: true)])
  }

  @Test func `an alert takes nothing from sight`() throws {
    var drive = try Drive(app)
    drive.step("alerted")
    #expect(drive.sights == "+alertPage!")
    drive.step("answered")
    #expect(drive.sights == "" && drive.sketch == "main[list]")
  }

  @Test func `the node's own step takes precedence over that of its screen`() throws {
    var drive = try Drive(
      app.replacing("pushed: { push: detail }", with: "pushed: { push: detail, seen: own }\n      own: { write: { count: 1 } }")
        .replacing("seen: {}, hidden", with: "own: {}, seen: {}, hidden"))
    drive.step("pushed")
    #expect(drive.steps == ["main pushed", "main hidden", "main own"] && drive.state.facts["count"] == 1)
  }

  @Test func `a step that creates the same page again each time it is seen is refused as a loop`() throws {
    var drive = try Drive(
      app.replacing(
        "pushed: { push: detail }",
        with: "pushed: { push: { screen: detail, seen: again } }\n      again: { replace: { screen: detail, seen: again } }"
      )
      .replacing("seen: {}, hidden", with: "again: {}, seen: {}, hidden"))
    let before = drive.state
    drive.step("pushed")
    #expect(drive.outcome == "step-loop" && drive.state == before)
  }

  @Test func `a page that is seen opens another one in the same revision`() throws {
    var drive = try Drive(app.replacing("seen: []", with: "seen: [{ when: { screen: detail }, do: { present: sheet } }, { do: [] }]"))
    let revision = drive.state.revision
    drive.step("pushed")
    #expect(drive.sketch == "main[list, detail] ^ sheet" && drive.state.revision == revision + 1)
    #expect(drive.sights.hasPrefix("-list +detail! -detail +sheet!"))
  }

  @Test func `a migration to an app whose pages notice nothing forgets which pages were seen`() throws {
    var drive = try MigrationDrive(
      """
      app: pages
      language: 1
      root: main
      screens: { home: { emits: [opened] }, page: { seen: noticed } }
      flows: { main: { stack: home, handle: { opened: { push: page }, noticed: [] } } }
      """)
    drive.step("opened")
    #expect(drive.state.sightings.map(\.node) == [drive.id("page")])
    let plain = """
      app: pages
      language: 1
      root: main
      screens: { home: { emits: [opened] }, page: }
      flows: { main: { stack: home, handle: { opened: { push: page } } } }
      """
    try drive.migrate(to: plain, Migration(steps: ["noticed": .remove]))
    drive.run(.back)
    #expect(drive.sketch == "main[home]" && drive.state.sightings == [] && drive.broken == [])
  }

  @Test func `a migration tells nothing, and a step that it adds is sent when the page is seen next`() throws {
    let bare = app.replacing("detail: { seen: seen, unseen: hidden }", with: "detail: { emits: [opened] }")
    var drive = try Drive(bare)
    drive.step("pushed")
    #expect(drive.sights == "-list")
    let other = try DefinitionLoader.load(file: "test.yaml", text: app.replacing("detail: {", with: "detail: { emits: [opened], "))
      .definition
    let migrator = Migrator(from: drive.reducer, to: Reducer(other), by: Migration())
    var state = drive.state
    let moved = try migrator.migrate(&state, stamp: Stamp(time: 9_000, nonce: "m"))
    #expect(!moved.events.contains { $0.type == .seen || $0.type == .unseen })
    let reducer = Reducer(other)
    var meter = Meter.idle
    _ = try reducer.reduce(&state, .step(Step("opened"), from: nil), stamp: Stamp(time: 9_001, nonce: "a"), meter: &meter)
    let back = try reducer.reduce(&state, .dismiss(node: nil), stamp: Stamp(time: 9_002, nonce: "b"), meter: &meter)
    #expect(back.events.first { $0.type == .seen }?.isFirst == true)
  }
}
