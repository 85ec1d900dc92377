import CairnCore
import CairnTesting
import Testing

private let app = """
  app: places
  language: 1
  compat: { emits: any, words: [listen] }
  root: { flow: main }
  screens: { home: {}, chat: { params: { id: integer } }, note: {}, a: {}, b: {}, c: {} }
  steps:
    open: { id: integer }
    slow: { id: integer }
    bring: { id: integer }
    note:
    rang:
    openA:
    openB:
    openC:
    drop:
    dropAndPush:
    push:
    finish:
    raise:
  flows:
    main:
      stack: home
      handle:
        open: { push: chat, with: { id: $id }, content: { draft: x } }
        slow: { push: chat, with: { id: $id }, listen: { hidden: true }, timer: { after: 1s, send: rang } }
        bring: { bring: { screen: chat, with: { id: $id } } }
        note: { push: note }
        rang: { content: { rang: true } }
        openA: { present: { flow: af } }
        raise: { present: { flow: bf }, level: 7 }
        push: { push: home }
    af:
      stack: a
      handle: { openB: { present: { flow: bf } }, push: { push: a } }
    bf:
      stack: b
      handle:
        openC: { present: { flow: cf } }
        drop: { remove: { flow: bf } }
        dropAndPush: [{ remove: { flow: bf } }, { send: push, to: cf }]
    cf: { stack: c, handle: { push: { push: c } } }
  """

@Suite struct `Places` {
  @Test func `a node that is brought to the top keeps its id, content and timers`() throws {
    var drive = try Drive(app)
    drive.step("slow", ["id": 1])
    let chat = drive.id("chat")
    drive.step("note")
    drive.step("bring", ["id": 1])
    #expect(drive.sketch == "main[home, note, chat(id: 1)]" && drive.id("chat") == chat)
    #expect(drive.last.changes.map(\.name) == ["set"])
    let timer = try #require(drive.state.effects.first)
    drive.run(.effect(id: timer.id, .due(tick: 1)))
    #expect(drive.sketch == "main[home, note, chat(id: 1)~{rang:true}]")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `the first node of a stack can be brought, and the next one is then the first`() throws {
    var drive = try Drive(app.replacing("stack: home", with: "stack: { screen: chat, with: { id: 1 } }"))
    drive.step("note")
    drive.step("bring", ["id": 1])
    #expect(drive.sketch == "main[note, chat(id: 1)]")
    #expect(drive.broken == [])
  }

  @Test func `the modal over a removed one is kept, with its id, and belongs to the flow above`() throws {
    var drive = try Drive(app)
    for step in ["openA", "openB", "openC"] { drive.step(step) }
    let (above, kept) = (drive.id("af"), drive.id("cf"))
    drive.step("drop", from: drive.id("b"))
    #expect(drive.outcome == "hidden")
    drive.step("drop")
    #expect(drive.sketch == "main[home] ^ af[a] ^ cf[c]")
    #expect(drive.id("cf") == kept && drive.state.nodes[kept]?.owner == above && drive.state.nodes[kept]?.parent == above)
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present"])
    drive.step("push")
    #expect(drive.sketch == "main[home] ^ af[a] ^ cf[c, c]")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^ af[a]")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `what changes inside a moved modal is part of the moved modal`() throws {
    var drive = try Drive(app)
    for step in ["openA", "openB", "openC"] { drive.step(step) }
    drive.step("dropAndPush")
    #expect(drive.sketch == "main[home] ^ af[a] ^ cf[c, c]")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present"])
    #expect(drive.broken == [])
  }

  @Test func `a modal over one on a level takes its level`() throws {
    var drive = try Drive(app)
    for step in ["raise", "openC", "drop"] { drive.step(step) }
    #expect(drive.state.nodes[drive.id("cf")]?.level == 7)
    #expect(drive.sketch.contains("cf[c]") && !drive.sketch.contains("bf"))
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test(arguments: [("remove", "main[home, chat(id: 2)~{draft:x}]"), ("popTo", "main[home, chat(id: 1)~{rang:true}]")])
  func `the node that speaks is meant before one of its name that lies over it`(word: String, sketch: String) throws {
    let text = app.replacing("rang: { content: { rang: true } }", with: "rang: [{ content: { rang: true } }, { \(word): chat }]")
    var drive = try Drive(text)
    drive.step("slow", ["id": 1])
    drive.step("open", ["id": 2])
    drive.run(.effect(id: try #require(drive.state.effects.first).id, .due(tick: 1)))
    #expect(drive.sketch == sketch)
  }

  @Test func `the flow that contains the node that speaks is meant before one of its name that lies over it`() throws {
    var drive = try Drive(
      """
      app: boxes
      language: 1
      compat: { emits: any, words: [listen] }
      root: main
      screens: { page: {} }
      flows:
        main: { stack: page, handle: { open: { push: box }, rang: { remove: box } } }
        box: { stack: { screen: page, listen: { hidden: true }, timer: { after: 1s, send: rang } } }
      """)
    drive.step("open")
    drive.step("open")
    let boxes = drive.state.nodes.values.filter { $0.name == "box" }.map(\.id)
    drive.run(.effect(id: try #require(drive.state.effects.first).id, .due(tick: 1)))
    #expect(drive.state.nodes.values.filter { $0.name == "box" }.map(\.id) == [boxes[1]])
  }

  @Test func `a screen whose sender has left the tree is seen from the sender's former parent`() throws {
    let leaving = """
      app: leaving
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, list: {}, page: {} }
      steps: { inner: {}, go: {}, left: {}, other: {} }
      flows:
        main: { tabs: [{ flow: one }, { flow: two }], handle: { left: { content: { hit: true }, of: list } } }
        one: { stack: list, handle: { go: { push: page, removed: left } } }
        two: { stack: list }
      """
    var drive = try Drive(leaving)
    drive.step("go")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.sketch == "main<*one[list~{hit:true}], two[list]>")
  }
}
