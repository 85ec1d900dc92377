import CairnCore
import CairnTesting
import Testing

/// A page with a guard, and the alert that asks. The acceptance scenarios `questions*.yaml` have the further cases.
private let app = """
  app: questions
  language: 1
  root: main
  facts: { dirty: { type: boolean, default: true, by: client } }
  screens:
    home: { emits: [opened] }
    page: { emits: [nextOpened] }
    sure: { emits: [discarded, stayed] }
    other: { params: { id: integer } }
  links: [{ scheme: g, path: "/other/{id}", send: linked, to: root }]
  notifications: { take: [{ category: news, how: [tap, silent], send: linked, with: { id: 9 }, to: root }] }
  flows:
    main:
      stack: { screen: home, guard: { when: { not: { fact: dirty } }, ask: asked } }
      handle:
        opened: { push: page, guard: { when: { fact: dirty }, ask: asked } }
        nextOpened: { push: other, with: { id: 1 } }
        asked: { present: sure, style: alert }
        discarded: proceed
        stayed: []
        linked: { set: [home, { screen: other, with: { id: $id } }] }
  steps: { asked: {}, linked: { id: integer } }
  """

@Suite struct `Questions before a page goes` {
  private func asking(_ definition: String = app, creation: Creation = Creation()) throws -> Drive {
    var drive = try Drive(definition, creation: creation)
    drive.step("opened")
    drive.run(.back)
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.outcome == "performed (guarded)")
    return drive
  }

  @Test func `the question is a part of the state that is stored and replayed`() throws {
    var drive = try asking()
    let question = try #require(drive.state.question)
    #expect(question.id == QuestionID(1) && question.node == drive.id("page") && question.action == "back" && question.agreed == [])
    #expect(question.aim == .keep(top: drive.id("home"), above: drive.id("page")))
    let read = try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version)
    #expect(read == drive.state && read.question == question)
    drive.step("discarded")
    #expect(drive.sketch == "main[home]" && drive.state.question == nil && drive.outcome == "performed")
    #expect(try drive.replayed() == drive.state && drive.broken == [])
  }

  @Test func `the newest of several actions is performed, and the question keeps its id`() throws {
    var drive = try asking()
    drive.run(.open(url: "g://other/7"))
    #expect(drive.outcome == "pending (guarded)" && drive.last.link == LinkID(1))
    #expect(drive.state.question?.id == QuestionID(1) && drive.state.question?.aim == .open(LinkID(1), url: "g://other/7"))
    #expect(drive.state.question?.action == "open")
    drive.step("discarded")
    #expect(drive.sketch == "main[home, other(id: 7)]" && drive.last.events.map(\.type).contains(.linkResumed))
    drive.step("stayed")
    #expect(try drive.replayed() == drive.state && drive.broken == [])
  }

  @Test func `a link whose own handler says proceed is tried once and followed once`() throws {
    var drive = try asking(
      app.replacing(
        "linked: { set: [home, { screen: other, with: { id: $id } }] }",
        with: "linked: [proceed, { set: [home, { screen: other, with: { id: $id } }] }]"))
    drive.run(.open(url: "g://other/7"))
    #expect(drive.outcome == "pending (guarded)" && drive.sketch == "main[home, page] ^ sure")
    drive.step("discarded")
    #expect(drive.sketch == "main[home, other(id: 7)]" && drive.state.question == nil && drive.broken == [])
  }

  @Test func `a tapped notification asks, and one that was not tapped does not`() throws {
    var drive = try Drive(app)
    drive.step("opened")
    drive.run(.notification(url: nil, category: "news", tap: true, appState: .background))
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.outcome == "pending (guarded)")
    let read = try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version)
    #expect(read == drive.state)
    drive.step("discarded")
    #expect(drive.sketch == "main[home, other(id: 9)]" && drive.state.question == nil)
    drive.run(.back)
    drive.step("opened")
    drive.run(.notification(url: nil, category: "news", tap: false, appState: .background, .init(isSilent: true)))
    #expect(drive.sketch == "main[home, other(id: 9)]" && drive.state.question == nil && drive.broken == [])
  }

  @Test func `before the app is left the answer names the client that pressed Back`() throws {
    var drive = try Drive(app)
    drive.run(.back)
    #expect(drive.outcome == "unchanged (at-root)")
    drive.run(.facts(["dirty": false]))
    #expect(drive.reducer.accepts(drive.state).guarded == ["back"] && drive.reducer.accepts(drive.state).primitives.contains("back"))
    var state = drive.state
    let sender = Sender(client: "phone", number: 3)
    let asked = try drive.reducer.reduce(&state, .back, stamp: Stamp(time: 1, nonce: "", sender: sender))
    #expect(asked.reason == "guarded" && state.question?.aim == .exit && state.question?.sender == sender)
    #expect(try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version) == state)
    let left = try drive.reducer.reduce(&state, .step(Step("discarded"), from: nil), stamp: Stamp(time: 2, nonce: ""))
    #expect(left.events.last?.type == .exit && left.events.last?.sender == sender && drive.reducer.tree(of: state).sketch == "main[home]")
  }

  @Test func `a page goes although a timer has removed the page below it`() throws {
    let timed = app.replacing(
      "opened: { push: page", with: "opened:\n      - timer: { after: 1s, send: due }\n        of: flow\n      - { push: page"
    )
    .replacing("stayed: []", with: "stayed: []\n      due: { remove: other }")
    .replacing("other: { params: { id: integer } }", with: "other: { params: { id: integer }, emits: [opened] }")
    var drive = try Drive(timed, creation: Creation(manualClock: true))
    drive.run(.push(.init("other", params: ["id": 1])))
    drive.step("opened")
    drive.run(.back)
    drive.advance(1_000)
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.state.question != nil)
    drive.step("discarded")
    #expect(drive.sketch == "main[home]" && drive.broken == [])
  }

  @Test func `the client of the newest of two equal actions leaves`() throws {
    let inline = app.replacing("asked: { present: sure, style: alert }", with: "asked: []").replacing(
      "home: { emits: [opened] }", with: "home: { emits: [opened, discarded] }"
    )
    .replacing("sure: { emits: [discarded, stayed] }", with: "sure: { emits: [stayed] }")
    var drive = try Drive(inline)
    drive.run(.facts(["dirty": false]))
    var state = drive.state
    for (client, number) in [("c", WideInt(1)), ("d", 7)] {
      _ = try drive.reducer.reduce(&state, .back, stamp: Stamp(time: 1, nonce: "", sender: Sender(client: client, number: number)))
    }
    let left = try drive.reducer.reduce(&state, .step(Step("discarded"), from: nil), stamp: Stamp(time: 2, nonce: ""))
    #expect(left.events.last?.type == .exit && left.events.last?.sender == Sender(client: "d", number: 7))
  }

  @Test func `a migration renames the step of a notification that waits, and ends the question if it is gone`() throws {
    for (new, migration, sketch) in [
      (
        app.replacing("linked", with: "opened2"), Migration(steps: ["linked": .keep(as: "opened2", params: [:])]),
        "main[home, other(id: 9)]"
      ),
      (app, Migration(steps: ["linked": .remove]), "main[home, page]"),
    ] {
      var drive = try MigrationDrive(app)
      drive.step("opened")
      drive.run(.notification(url: nil, category: "news", tap: true, appState: .background))
      try drive.migrate(to: new, migration)
      drive.step("discarded")
      #expect(drive.sketch == sketch && drive.state.question == nil && drive.broken == [])
    }
  }

  @Test func `an undo goes back to the question, and does not give its id again`() throws {
    var drive = try asking()
    let then = drive.state
    drive.step("stayed")
    var state = drive.state
    _ = drive.reducer.restore(then, in: &state, of: drive.reducer, stamp: Stamp(time: 5_000, nonce: ""))
    #expect(state.question == then.question)
    _ = try drive.reducer.reduce(&state, .step(Step("stayed"), from: nil), stamp: Stamp(time: 5_001, nonce: ""))
    _ = try drive.reducer.reduce(&state, .back, stamp: Stamp(time: 5_002, nonce: ""))
    #expect(state.question?.id == QuestionID(2))
  }

  @Test func `held links wait for the end of the question, one after the other`() throws {
    let links = #"links: [{ scheme: g, path: "/other/{id}", send: linked, to: root"#
    let held = app.replacing(links, with: "linkDefaults: { holdAtMost: 2 }\n" + links + ", requires: { fact: accessToken, is: present }")
    var drive = try Drive(held)
    drive.step("opened")
    drive.run(.open(url: "g://other/7"))
    drive.run(.open(url: "g://other/8"))
    drive.run(.token)
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.state.question?.link == LinkID(1))
    #expect(drive.state.pendingLinks.map(\.id) == [LinkID(2)])
    drive.step("stayed")
    // The answer drops the first link. The second link asks the question again in the same action.
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.state.question?.link == LinkID(2) && drive.outcome == "performed (guarded)")
    drive.step("discarded")
    #expect(drive.sketch == "main[home, other(id: 8)]" && drive.state.pendingLinks == [] && drive.broken == [])
  }

  @Test func `an answer to a question that has ended says so, although its dialog closes`() throws {
    let timed = app.replacing(
      "opened: { push: page", with: "opened:\n      - timer: { after: 1s, send: due }\n        of: flow\n      - { push: page"
    )
    .replacing("stayed: []", with: "stayed: []\n      due: popToRoot")
    var drive = try asking(timed, creation: Creation(manualClock: true))
    drive.advance(1_000)
    #expect(drive.sketch == "main[home] ^ sure" && drive.state.question == nil)
    drive.step("discarded")
    #expect(drive.sketch == "main[home]" && drive.outcome == "performed (nothing-asked)")
  }

  @Test func `a migration keeps the question while the nodes that it names are kept`() throws {
    var drive = try MigrationDrive(app)
    drive.step("opened")
    drive.run(.back)
    let kept = app.replacing("opened: { push: page, guard: { when: { fact: dirty }, ask: asked } }", with: "opened: { push: page }")
    try drive.migrate(to: kept, Migration())
    #expect(drive.state.question != nil && drive.sketch == "main[home, page] ^ sure")
    drive.step("discarded")
    #expect(drive.sketch == "main[home]" && drive.state.question == nil && drive.broken == [])
  }

  @Test func `a guard reads a renamed fact under its new name`() throws {
    var drive = try MigrationDrive(app)
    drive.step("opened")
    try drive.migrate(to: app.replacing("dirty", with: "isEdited"), Migration(facts: ["dirty": .keep(as: "isEdited")]))
    drive.run(.back)
    #expect(drive.sketch == "main[home, page] ^ sure" && drive.broken == [])
    drive.step("stayed")
    drive.run(.facts(["isEdited": false]))
    drive.run(.back)
    #expect(drive.sketch == "main[home]")
  }

  @Test func `a client predicts the question and its answer`() throws {
    var sides = try TwoSides(Drive(app).reducer.definition)
    for (number, action) in [(1, Action.step(Step("opened"), from: nil)), (2, .back), (3, .step(Step("discarded"), from: nil))] {
      _ = sides.replica.predict(action, number: WideInt(number), at: 0)
    }
    #expect(sides.replica.tree.sketch == "main[home]" && sides.replica.shown.question == nil)
    #expect(sides.replica.confirmed.question == nil)
  }
}
