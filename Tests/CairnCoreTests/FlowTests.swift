import CairnCore
import CairnTesting
import Testing

@Suite struct `Steps and flows` {
  private let order = """
    app: order
    language: 1
    compat: { unhandled: drop, emits: any, words: [end] }
    root: { flow: top, start: one }
    facts: { seen: { type: boolean, default: false } }
    screens: { s: {}, t: {} }
    steps: { one: {}, two: {}, three: {}, four: {}, done: {}, ruled: {}, loop: {} }
    rules:
      - { when: { fact: seen }, send: ruled }
    flows:
      top:
        stack: []
        handle:
          one: { push: { flow: child, start: [two, three] } }
          done: pop
          ruled: []
          loop: { send: loop }
      child:
        stack: s
        handle:
          two: [ { write: { seen: true } }, { send: four }, { send: done, to: parent } ]
          three: { push: t }
          four: { end: done }
          loop: { end: loop }
    """

  @Test func `a step that its flow adapts to nothing is in accepts`() throws {
    let drive = try Drive(
      """
      app: adapted
      language: 1
      compat: { emits: any, words: [adapt] }
      root: { flow: main }
      screens: { s: {} }
      steps: { a: {}, b: {} }
      flows: { main: { stack: s, adapt: { a: [] } } }
      """)
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step) == ["a"])
  }

  @Test func `turns are breadth-first, and every turn has one will and one did event`() throws {
    let drive = try Drive(order)
    #expect(drive.steps == ["top one", "child two", "child three", "top done", "top ruled", "child four", "top done"])
    #expect(drive.last.events.filter { $0.type == .didNavigate }.count == drive.steps.count)
  }

  @Test func `an ended flow receives no step, and its node stays until the parent removes it`() throws {
    let drive = try Drive(order)
    #expect(drive.sketch == "top[child[s, t]]")
    #expect(drive.tree.children?.first?.isEnded == true)
    var after = drive
    after.step("two")
    #expect(after.outcome == "flow-gone")
    #expect(after.broken == [])
  }

  @Test func `a step that sends itself forever is undone completely`() throws {
    var drive = try Drive(order.replacing("three: { push: t }", with: "three: []").replacing("four: { end: done }", with: "four: []"))
    let before = drive.state
    drive.run(.step(Step("loop"), from: drive.state.root))
    #expect(drive.outcome == "step-loop")
    #expect(drive.state == before)
  }

  @Test func `an unhandled step is dropped, or goes to the parent`() throws {
    let bubbling = """
      app: bubbling
      language: 1
      compat: { emits: any, words: [show] }
      root: { flow: top }
      screens: { s: {} }
      steps: { known: {}, unknown: {} }
      flows:
        top: { switch: [inner], handle: { known: { show: { flow: inner, screen: s } } } }
        inner: { stack: s }
      """
    var drive = try Drive(bubbling)
    drive.step("known")
    #expect(drive.sketch == "top{inner[s]}")
    drive.step("unknown")
    #expect(drive.outcome == "not-handled")
    var dropping = try Drive(bubbling.replacing("compat: {", with: "compat: { unhandled: drop,"))
    dropping.step("known")
    dropping.step("known")
    #expect(dropping.outcome == "unchanged (not-handled)")
    #expect(dropping.steps == ["inner known"])
    #expect(dropping.drops == ["known not-handled"])
  }

  @Test func `a later turn that is rejected is undone without undoing the others`() throws {
    var drive = try Drive(
      """
      app: later
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, a: {}, b: {} }
      steps: { go: {}, back: {} }
      flows:
        main:
          stack: home
          handle:
            go: [ { push: a }, { send: back } ]
            back: [ { push: b }, { reveal: b }, { popTo: home }, { popTo: a } ]
      """)
    drive.step("go")
    #expect(drive.sketch == "main[home, a]")
    #expect(drive.drops == ["back screen-not-found"])
    #expect(drive.outcome == "performed")
    drive.step("back")
    #expect(drive.outcome == "screen-not-found")
    #expect(drive.broken == [])
  }

  @Test func `a broadcast reaches every living flow, parent first, and new flows after their start step`() throws {
    var drive = try Drive(
      """
      app: broadcast
      language: 1
      compat: { unhandled: drop, emits: any }
      root: { flow: top, start: begin }
      screens: { s: {} }
      steps: { begin: {}, all: {}, made: {} }
      flows:
        top:
          tabs: []
          handle:
            begin: { set: [ { flow: left }, { flow: right } ] }
            all: []
        left: { stack: s, handle: { all: { push: { flow: new, start: made } } } }
        right: { stack: s, handle: { all: { push: s } } }
        new: { stack: [], handle: { made: { push: s }, all: { push: s } } }
      links:
        - { scheme: [x], path: "/all", send: all, to: all }
      """)
    drive.run(.open(url: "x://all"))
    #expect(drive.steps == ["top all", "left all", "right all", "new made", "new all"])
    #expect(drive.sketch == "top<*left[s, new[s, s]], right[s, s]>")
    #expect(drive.broken == [])
  }

  @Test func `adapt replaces a step before the flow sees it`() throws {
    var drive = try Drive(
      """
      app: adapting
      language: 1
      compat: { emits: any, words: [adapt] }
      root: { flow: main }
      facts: { allowed: { type: boolean, default: false } }
      screens: { home: {}, about: {}, warning: {} }
      steps: { aboutIsRequired: {}, unauthorized: {} }
      flows:
        main:
          stack: home
          adapt: { aboutIsRequired: [ { when: { not: { fact: allowed } }, to: unauthorized } ] }
          handle:
            aboutIsRequired: { present: about }
            unauthorized: { present: warning, style: alert }
      """)
    drive.step("aboutIsRequired")
    #expect(drive.steps == ["main unauthorized"])
    #expect(drive.sketch == "main[home] ^ warning")
    drive.run(.dismiss(node: nil))
    drive.run(.facts(["allowed": true]))
    drive.step("aboutIsRequired")
    #expect(drive.sketch == "main[home] ^ about")
  }
}
