import CairnCore
import CairnTesting
import Testing

/// A wizard with a guard, one page with its own guard, and one page that no gesture can pop.
private let wizard = """
  app: wizard
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens:
    home:
    page: { params: { n: optional integer } }
    editor: { params: { draft: string } }
    wall:
    discard:
    lost: { params: { text: string } }
  steps: { open: {}, stay: {}, over: {}, more: {}, edit: { draft: string }, leaveIsAsked: {}, draftIsLeft: { text: string }, kept: {} }
  flows:
    main:
      stack: home
      handle:
        open: { present: { flow: checkout, guard: leaveIsAsked } }
        stay: { push: wall, guard: true }
        over: dismiss
    checkout:
      stack: page
      handle:
        more: { push: page, with: { n: 2 } }
        edit: { push: editor, with: { draft: $draft }, guard: { step: draftIsLeft, with: { text: $draft } } }
        leaveIsAsked: { present: discard, style: alert }
        kept: dismiss
        draftIsLeft: { push: lost, with: { text: $text } }
  """

@Suite struct `Guards against leaving` {
  @Test func `a guarded modal answers a dismiss with its step, which is the turn of the action`() throws {
    var drive = try Drive(wizard)
    drive.step("open")
    #expect(drive.sketch == "main[home] ^ checkout[page]")
    #expect(drive.tree.presented?.isGuarded == true)
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "performed (guarded)")
    #expect(drive.steps == ["checkout leaveIsAsked"])
    #expect(drive.sketch == "main[home] ^ checkout[page] ^ discard")
    #expect(drive.state.revision == 3)
    // The alert has no guard. It is closed by an operation of a handler, which ignores guards.
    drive.step("kept")
    #expect(drive.sketch == "main[home] ^ checkout[page]")
    drive.run(.dismiss(node: drive.id("checkout")))
    drive.step("over")
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `only nodes that a gesture would remove are checked`() throws {
    var drive = try Drive(wizard)
    drive.step("open")
    drive.step("more")
    #expect(drive.sketch == "main[home] ^ checkout[page, page(n: 2)]")
    #expect(drive.reducer.accepts(drive.state).guarded == ["dismiss"])
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.outcome == "performed")
    #expect(drive.sketch == "main[home] ^ checkout[page]")
    #expect(drive.reducer.accepts(drive.state).guarded == ["dismiss", "back"])
  }

  @Test func `of the nodes to dismiss the first guarded one from the front decides`() throws {
    var drive = try Drive(wizard)
    drive.step("open")
    drive.step("edit", ["draft": "a"])
    drive.step("edit", ["draft": "b"])
    drive.step("more")
    #expect(drive.sketch == "main[home] ^ checkout[page, editor(draft: a), editor(draft: b), page(n: 2)]")
    #expect(drive.reducer.accepts(drive.state).guarded == ["popToRoot", "dismiss"])
    drive.run(.popToRoot)
    #expect(drive.outcome == "performed (guarded)")
    #expect(drive.steps == ["checkout draftIsLeft"])
    #expect(drive.routes.last == "lost")
    #expect(drive.tree.presented?.children?.last?.params == ["text": "b"])
    // The screen that the question has pushed is still open. Its answer now applies to this gesture, so the question is not asked again.
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "performed (guarded)" && drive.steps == [])
    #expect(drive.state.question?.aim == .remove(drive.id("checkout")))
    #expect(drive.broken == [])
  }

  @Test func `a pop by count, node or name checks the nodes above`() throws {
    var drive = try Drive(wizard)
    drive.step("open")
    drive.step("edit", ["draft": "a"])
    let editor = drive.id("editor")
    drive.step("more")
    let first = try #require(drive.tree.presented?.children?.first?.id)
    for action in [Action.pop(count: 2, node: nil), .pop(count: 1, node: editor), .popTo(.node(first))] {
      var other = drive
      other.run(action)
      #expect(other.outcome == "performed (guarded)", "\(action)")
      #expect(other.broken == [])
    }
    drive.run(.popTo(.node(editor)))
    #expect(drive.outcome == "performed")
    drive.run(.popTo(.screen("page")))
    #expect(drive.outcome == "performed (guarded)")
  }

  @Test func `a gesture on a node that cannot be dismissed is rejected, and nothing changes`() throws {
    var drive = try Drive(wizard)
    drive.step("stay")
    #expect(drive.sketch == "main[home, wall]")
    #expect(drive.reducer.accepts(drive.state).guarded == ["pop", "back", "popToRoot"])
    for action in [Action.pop(count: 1, node: nil), .popToRoot, .popTo(.screen("home")), .back] {
      drive.run(action)
      #expect(drive.outcome == "guarded", "\(action)")
    }
    #expect(drive.state.revision == 2)
    #expect(drive.broken == [])
  }

  @Test func `the actions of operators ignore guards`() throws {
    var drive = try Drive(wizard)
    drive.step("open")
    drive.run(.push(.init("wall")))
    #expect(drive.outcome == "performed")
    drive.run(.present(.init("page"), style: .sheet, node: NodeID(1), replace: true))
    #expect(drive.outcome == "performed")
    #expect(drive.sketch == "main[home] ^ page")
    drive.run(.dismiss(node: nil))
    drive.step("stay")
    drive.run(.remove(node: drive.id("wall")))
    #expect(drive.outcome == "performed")
    drive.step("stay")
    drive.run(.set([.init("home")]))
    #expect(drive.outcome == "performed" && drive.sketch == "main[home]" && drive.broken == [])
  }

  @Test func `the guard of a modal is checked before that of the node below`() throws {
    var drive = try Drive(
      """
      app: over
      language: 1
      compat: { covered: accept, emits: any }
      root: { flow: main }
      screens: { home: {}, page: {}, sheet: {} }
      steps: { go: {}, open: {}, asked: { who: string } }
      flows:
        main:
          stack: home
          handle:
            go: { push: page, guard: { step: asked, with: { who: page } } }
            open: { present: sheet, of: screen, guard: { step: asked, with: { who: sheet } } }
            asked: { content: { who: $who }, of: home }
      """)
    drive.step("go")
    drive.step("open")
    #expect(drive.sketch == "main[home, page ^ sheet]")
    drive.run(.pop(count: 1, node: drive.id("page")))
    #expect(drive.outcome == "performed (guarded)")
    #expect(drive.sketch == "main[home~{who:sheet}, page ^ sheet]")
    #expect(drive.broken == [])
  }

  @Test func `in tabs the selected child is checked first, in a split the detail`() throws {
    func asked(_ container: String, select: Int? = nil, named: String = "inner") throws -> String? {
      var drive = try Drive(
        """
        app: inner
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: {}, a: {}, b: {} }
        steps: { go: {}, asked: { who: string } }
        flows:
          main:
            stack: home
            handle:
              go: { push: { flow: inner } }
              asked: { content: { who: $who }, of: home }
          inner: { \(container) }
        """)
      drive.step("go")
      if let select { drive.run(.select(.tab(select), node: nil)) }
      drive.run(.pop(count: 1, node: drive.id(named)))
      #expect(drive.broken == [])
      guard case .string(let who)? = drive.tree.children?.first?.content?.value?.at(["who"]) else { return drive.outcome }
      return who
    }
    func node(_ name: String) -> String { "{ screen: \(name), guard: { step: asked, with: { who: \(name) } } }" }
    #expect(try asked("tabs: [\(node("a")), \(node("b"))]") == "a")
    #expect(try asked("tabs: [\(node("a")), \(node("b"))]", select: 1) == "b")
    #expect(try asked("split: { master: [\(node("a"))], detail: \(node("b")) }") == "b")
    #expect(try asked("stack: \(node("a"))") == "a")
    #expect(try asked("screen: a, guard: { step: asked, with: { who: a } }", named: "a") == "a")
  }

  @Test func `the rejection of the guard step rejects the gesture`() throws {
    var drive = try Drive(
      """
      app: refused
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: {}, alert: {} }
      steps: { go: {}, open: {}, asked: {}, lost: {} }
      flows:
        main:
          stack: home
          handle:
            go: { push: page, guard: asked }
            open: { push: page, guard: lost }
            asked: { reveal: alert }
      """)
    drive.step("go")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.outcome == "screen-not-found")
    drive.step("open")
    drive.run(.back)
    #expect(drive.outcome == "not-handled")
    #expect(drive.sketch == "main[home, page, page]")
    #expect(drive.broken == [])
  }

  @Test func `a guard step that changes nothing still prevents the gesture, and is sent again by the next one`() throws {
    var drive = try Drive(
      """
      app: nothing
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: {} }
      steps: { go: {}, asked: {} }
      flows:
        main: { stack: home, handle: { go: { push: page, guard: asked }, asked: [] } }
      """)
    drive.step("go")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.outcome == "performed (guarded)" && drive.steps == ["main asked"])
    drive.run(.back)
    #expect(drive.outcome == "performed (guarded)" && drive.steps == ["main asked"] && drive.sketch == "main[home, page]")
    drive.run(.back)
    #expect(drive.outcome == "unchanged (guarded)" && drive.steps == ["main asked"])
    #expect(drive.state.question?.id == QuestionID(1))
  }

  @Test func `ended nodes are not guarded`() throws {
    var drive = try Drive(
      """
      app: ended
      language: 1
      compat: { emits: any, words: [end] }
      root: { flow: main }
      screens: { home: {}, page: {} }
      steps: { go: {}, finish: {}, finished: {}, asked: {} }
      flows:
        main: { stack: home, handle: { go: { present: { flow: inner, guard: true } }, finished: [] } }
        inner: { stack: { screen: page, guard: asked }, handle: { asked: [], finish: { end: finished } } }
      """)
    drive.step("go")
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "guarded")
    drive.step("finish")
    #expect(drive.reducer.accepts(drive.state).guarded == [])
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "performed")
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `handlers and links ignore guards`() throws {
    var drive = try Drive(
      """
      app: links
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: {}, sheet: {} }
      steps: { go: {}, home: {}, up: {} }
      flows:
        main:
          stack: home
          handle:
            go: [{ push: page, guard: true }, { present: sheet, guard: true }]
            home: [{ reveal: home }]
            up: [dismiss, pop]
      links: [{ scheme: [x], path: "/home", send: home }]
      """)
    drive.step("go")
    drive.run(.open(url: "x://home"))
    #expect(drive.sketch == "main[home]")
    drive.step("go")
    drive.step("up")
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `the guard step goes to the named flow, and is rejected if no such flow exists`() throws {
    func drive(_ to: String) throws -> Drive {
      var drive = try Drive(
        """
        app: named
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: {}, page: {} }
        steps: { go: {}, asked: {}, finish: {} }
        flows:
          main: { stack: home, handle: { go: { push: { flow: inner } }, asked: { content: { heard: 1 }, of: home } } }
          inner: { stack: home, handle: { go: { push: page, guard: { step: asked, to: \(to) } }, asked: [] } }
          other: { stack: home, handle: { asked: [], finish: { push: { flow: other } } } }
        """)
      drive.step("go")
      drive.step("go")
      drive.run(.back)
      #expect(drive.broken == [])
      return drive
    }
    #expect(try drive("current").outcome == "performed (guarded)")
    for to in ["parent", "root", "main"] {
      let drive = try drive(to)
      #expect(drive.outcome == "performed (guarded)")
      #expect(drive.steps == ["main asked"])
    }
    #expect(try drive("all").steps == ["main asked", "inner asked"])
    #expect(try drive("other").outcome == "flow-gone")
  }

  @Test func `the content of the node is read when its guard runs`() throws {
    var drive = try Drive(
      """
      app: content
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: {} }
      steps: { go: { id: integer }, more: {}, asked: { id: integer, count: integer } }
      flows:
        main:
          stack: home
          handle:
            go: { push: page, content: { count: 0 }, guard: { step: asked, with: { id: $id, count: $content.count } } }
            more: { content: { count: { add: 1 } } }
            asked: { content: { id: $id, count: $count }, of: home }
      """)
    drive.step("go", ["id": 7])
    drive.step("more")
    drive.step("more")
    drive.run(.back)
    #expect(drive.sketch == "main[home~{count:2,id:7}, page~{count:2}]")
    #expect(drive.broken == [])
  }
}
