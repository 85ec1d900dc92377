import CairnCore
import CairnTesting
import Testing

/// Nodes that send steps later: on removal, for a guard, or with a result. Some screens have listeners for their removal.
private let app = """
  app: later
  language: 1
  compat: { emits: any, words: [listen] }
  root: { flow: main }
  facts: { who: { type: string, default: Ada } }
  screens: { home: {}, a: {}, b: {}, lone: {}, note: { params: { text: any } } }
  steps:
    a: {}
    b: { x: any }
    form: {}
    solo: {}
    gone: { x: any }
    asked: { x: any }
    got: { v: any }
    lost: {}
    give: {}
    say: { x: optional any }
    back: {}
  flows:
    main:
      stack: home
      handle: &handle
        a: { push: a, removed: { step: gone, with: { x: 1 } }, guard: { step: asked, with: { x: 2 } } }
        b: { push: b, removed: { step: gone, with: { x: $x }, to: main } }
        form: { push: { flow: form, then: { step: got, with: { v: $result.v } }, else: lost } }
        solo: { push: { flow: solo, listen: { dismissed: true } } }
        gone: { push: note, with: { text: $x } }
        asked: { push: note, with: { text: $x } }
        got: { push: note, with: { text: $v } }
        lost: { push: note, with: { text: lost } }
        back: pop
        say: { push: note, with: { text: heard } }
    form: { stack: { screen: lone, listen: { dismissed: true } }, gives: { v: any }, handle: { give: { finish: { v: 5 } } } }
    solo: { screen: lone, handle: { say: { write: { who: solo } } } }
  """

@Suite struct `Migration of later steps` {
  private func drive(_ steps: String...) throws -> MigrationDrive {
    var drive = try MigrationDrive(app)
    for step in steps { drive.step(step) }
    return drive
  }

  private static let renamed = app.replacing("gone", with: "left1").replacing("asked", with: "ask1").replacing("got", with: "got1")
    .replacing("lost:", with: "lost1:").replacing("else: lost", with: "else: lost1").replacing("main", with: "area")
  private static let migration = Migration(
    flows: ["main": .keep(as: "area", params: [:])],
    steps: [
      "gone": .keep(as: "left1", params: [:]),
      "asked": .keep(as: "ask1", params: ["x": .array([.reference(.param("x")), .reference(.fact("who"))])]),
      "got": .keep(as: "got1", params: [:]), "lost": .keep(as: "lost1", params: [:]),
    ])

  private func moved(_ drive: MigrationDrive, _ new: String = renamed, _ migration: Migration = migration) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: new, migration)
    #expect(drive.reason == nil && drive.steps == [] && drive.broken == [])
    return drive
  }

  @Test func `left and leave send their steps under the new names, with new params`() throws {
    var drive = try moved(try drive("a"))
    #expect(drive.tree.children?.last?.isGuarded == true)
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.steps == ["area ask1"] && drive.sketch == "area[home, a, note(text: array)]")
    #expect(drive.node("note")?.params == ["text": [2, "Ada"]])
    drive.step("back")
    drive.step("back")
    #expect(drive.steps == ["area back", "area left1"] && drive.sketch == "area[home, note(text: 1)]" && drive.broken == [])
  }

  @Test func `a step that is sent to a flow finds it under its new name`() throws {
    var drive = try drive()
    drive.step("b", ["x": 3])
    let step = app.replacing("main", with: "area")
    drive = try moved(drive, step, Migration(flows: ["main": .keep(as: "area", params: [:])]))
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.steps == ["area gone"] && drive.sketch == "area[home, note(text: 3)]" && drive.broken == [])
  }

  @Test func `a step that is gone is not sent, and its guard is gone`() throws {
    var drive = try moved(try drive("a"), app, Migration(steps: ["gone": .remove, "asked": .remove]))
    #expect(drive.tree.children?.last?.isGuarded == false)
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.steps == [] && drive.sketch == "main[home]" && drive.broken == [])
  }

  @Test func `a result is received under the new name of its step`() throws {
    var drive = try moved(try drive("form"))
    var other = drive
    drive.step("give")
    #expect(drive.steps == ["form give", "area got1"] && drive.sketch == "area[home, note(text: 5)]" && drive.broken == [])
    other.run(.pop(count: 1, node: nil))
    #expect(other.steps == ["area lost1"] && other.sketch == "area[home, note(text: lost)]" && other.broken == [])
  }

  @Test func `a removed screen is still listened to under its new name`() throws {
    var drive = try MigrationDrive(
      app.replacing("a: { push: a, removed", with: "a: { push: a, listen: { dismissed: true }, removed").replacing(
        "guard: { step: asked, with: { x: 2 } }", with: "content: 1"))
    drive.step("a")
    let a = drive.id("a")
    drive.run(.pop(count: 1, node: nil))
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.sketch == "main[home]" && drive.state.listeners == [Listener(node: a, screen: "a", flow: drive.state.root)])
    var kept = try moved(
      drive, app.replacing("a: {}", with: "a1: {}", maxReplacements: 1).replacing("push: a,", with: "push: a1,"),
      Migration(screens: ["a": .keep(as: "a1", params: [:])]))
    #expect(kept.state.listeners == [Listener(node: a, screen: "a1", flow: drive.state.root)])
    kept.step("say", from: a)
    #expect(kept.sketch == "main[home, note(text: heard)]" && kept.broken == [])
    for fate in [Migration.NodeFate.remove, .popTo(screen: "home"), .replace(.screen("b"), with: [:])] {
      var gone = try moved(drive, app, Migration(screens: ["a": fate]))
      #expect(gone.state.listeners == [] && gone.sketch == "main[home]")
      gone.step("say", from: a)
      #expect(gone.reason == "dismissed" && gone.broken == [])
    }
  }

  @Test func `a flow outside the tree goes on under its new names, or ends`() throws {
    var drive = try drive("solo")
    let solo = drive.id("lone")
    #expect(drive.sketch == "main[home, lone]")
    let inside = drive
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.sketch == "main[home]" && drive.state.listeners == [Listener(node: solo, screen: "lone", flow: solo)])
    // The screen has a param in the new definition, but a flow outside the tree has no params.
    let new = app.replacing("flow: solo", with: "flow: other").replacing("solo: { screen", with: "other: { screen")
      .replacing("lone: {}", with: "sole: { params: { n: any } }")
      .replacing("screen: lone", with: "screen: sole, with: { n: 1 }")
    let names = Migration(screens: ["lone": .keep(as: "sole", params: [:])], flows: ["solo": .keep(as: "other", params: [:])])
    var kept = try moved(drive, new, names)
    #expect(kept.state.listeners == [Listener(node: solo, screen: "sole", flow: solo)] && kept.state.nodes[solo]?.flow == "other")
    kept.step("say", from: solo)
    #expect(kept.steps == ["other say"] && kept.state.facts["who"] == "solo" && kept.broken == [])
    for drive in [drive, inside] {
      for fate in [Migration.NodeFate.remove, .popTo(screen: "home"), .replace(.screen("b"), with: [:])] {
        for migration in [Migration(screens: ["lone": fate]), Migration(flows: ["solo": fate])] {
          let gone = try moved(drive, app, migration)
          let isReplaced = if case .replace = fate { drive.sketch == inside.sketch } else { false }
          #expect(gone.state.listeners == [] && gone.state.nodes[solo] == nil)
          #expect(gone.sketch == (isReplaced ? "main[home, b]" : "main[home]"))
        }
      }
    }
  }

  @Test func `a flow that is one screen of the same name keeps both names apart`() throws {
    let same = app.replacing("solo: { screen: lone", with: "lone: { screen: lone").replacing(
      "flow: solo", with: "flow: lone")
    var drive = try MigrationDrive(same)
    drive.step("solo")
    let new = same.replacing("lone: { screen", with: "other: { screen").replacing("flow: lone", with: "flow: other")
    drive = try moved(drive, new, Migration(flows: ["lone": .keep(as: "other", params: [:])]))
    #expect(drive.sketch == "main[home, lone]" && drive.node("lone")?.flow == "other")
    drive.step("say")
    #expect(drive.steps == ["other say"] && drive.state.facts["who"] == "solo" && drive.broken == [])
  }
}
