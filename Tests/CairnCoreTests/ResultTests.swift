import CairnCore
import CairnDefinition
import CairnStore
import CairnTesting
import Foundation
import Testing

/// Tests of `gives`, `give`, `then` and `else`. Exactly one of `then` and `else` is sent, however the flow ends.
@Suite struct `Results of flows` {
  private static let app = """
    app: results
    language: 1
    compat: { emits: any, words: [end] }
    root: { flow: main }
    facts: { outside: { type: boolean, default: false } }
    screens: { home: {}, page: {}, list: {}, form: {}, note: {}, log: { params: { what: string } } }
    steps:
      ask: {}
      askBeside: {}
      askAlert: {}
      askInPlace: {}
      pick: { id: string }
      new: {}
      made: { id: string }
      stop: {}
      picked: { id: string }
      missed:
      over:
      leave: {}
      clear: {}
      cover: {}
      page: {}
      quiet: {}
      drop: {}
    rules:
      - { when: { fact: outside }, send: clear }
    flows:
      main:
        stack: home
        handle:
          page: { push: page }
          ask: { present: { flow: picker, removed: over, then: { step: picked, with: { id: $result.id } }, else: missed } }
          askBeside: { push: { flow: beside, then: { step: picked, with: { id: $result.id } }, else: missed } }
          askAlert: { present: note, style: alert }
          askInPlace: { replace: { flow: beside, then: { step: picked, with: { id: $result.id } }, else: missed } }
          quiet: { present: { flow: picker, else: missed } }
          picked: { push: log, with: { what: $id } }
          missed: { push: log, with: { what: missed } }
          over: { push: log, with: { what: left } }
          leave: dismiss
          clear: { set: [home] }
          cover: { present: note, replace: true }
          drop: { pop: 2 }
          stop: dismiss
      picker:
        stack: list
        gives: { id: string }
        handle:
          pick: { finish: { id: $id } }
          new: { push: { flow: maker, then: { step: pick, with: { id: $result.id } }, else: stop } }
          stop: { end: leave }
      maker:
        screen: form
        gives: { id: string, note: optional string }
        handle:
          made: { finish: { id: $id } }
      beside:
        screen: list
        gives: { id: string }
        handle:
          pick: { finish: { id: $id } }
          new: { push: form }
    """

  private func drive(_ steps: [String] = []) throws -> Drive {
    var drive = try Drive(Self.app)
    for step in steps { drive.step(step) }
    return drive
  }

  private func check(_ drive: Drive, _ sketch: String) throws {
    #expect(drive.sketch == sketch)
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a result goes to the flow that asked, and the giving flow is removed`() throws {
    var drive = try drive(["ask"])
    drive.step("pick", ["id": "c7"])
    try check(drive, "main[home, log(what: left), log(what: c7)]")
    #expect(drive.steps == ["picker pick", "main over", "main picked"])
  }

  @Test func `a pushed flow that gives a result is popped, together with the nodes it pushed`() throws {
    var drive = try drive(["askBeside", "new"])
    try check(drive, "main[home, list, form]")
    drive.step("pick", ["id": "a"])
    try check(drive, "main[home, log(what: a)]")
  }

  @Test(arguments: [Action.dismiss(node: nil), .step(Step("leave"), from: NodeID(2)), .step(Step("stop"), from: nil)])
  func `a flow that leaves without a result sends else once`(action: Action) throws {
    var drive = try Drive(Self.app.replacing("compat: {", with: "compat: { covered: accept,"))
    drive.step("ask")
    drive.run(action)
    #expect(drive.sketch.contains("log(what: missed)"))
    #expect(drive.steps.filter { $0 == "main missed" }.count == 1)
    #expect(drive.steps.filter { $0 == "main picked" }.isEmpty)
    drive.step("leave", from: NodeID(2))
    #expect(drive.steps.filter { $0 == "main missed" }.isEmpty)
    #expect(drive.broken == [])
  }

  @Test func `a flow that is popped, replaced or removed by a set sends else`() throws {
    var popped = try drive(["askBeside"])
    popped.run(.pop(count: 1, node: nil))
    try check(popped, "main[home, log(what: missed)]")
    var set = try Drive(Self.app.replacing("covered: refuse", with: ""))
    set.step("askBeside")
    set.step("clear", from: set.id("main"))
    // The screen that would receive the result is removed too.
    try check(set, "main[home]")
    var covered = try Drive(Self.app.replacing("compat: {", with: "compat: { covered: accept,"))
    covered.step("ask")
    covered.step("cover", from: covered.id("home"))
    #expect(covered.steps == ["main cover", "main missed"])
    #expect(covered.sketch == "main[home, log(what: missed)] ^ note")
  }

  @Test func `a flow that is replaced by the flow it asked receives the result itself`() throws {
    var drive = try drive(["page", "askInPlace"])
    try check(drive, "main[home, list]")
    drive.step("pick", ["id": "b"])
    try check(drive, "main[home, log(what: b)]")
  }

  @Test func `a set by a rule of the root removes the asking screen, and nothing is sent`() throws {
    var drive = try drive(["page", "ask"])
    drive.run(.facts(["outside": true]))
    try check(drive, "main[home] ^ picker[list]")
    drive.run(.dismiss(node: nil))
    #expect(drive.steps == ["main over"])
    #expect(drive.drops == [])
  }

  @Test func `in a chain both flows get their results, the inner one first`() throws {
    var drive = try drive(["ask", "new"])
    try check(drive, "main[home] ^ picker[list, form]")
    drive.step("made", ["id": "n1"])
    try check(drive, "main[home, log(what: left), log(what: n1)]")
    #expect(drive.steps == ["maker made", "picker pick", "main over", "main picked"])
  }

  @Test func `an inner flow that is cancelled sends else to the flow that pushed it`() throws {
    var drive = try drive(["ask", "new"])
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.steps == ["picker stop", "main leave", "main missed", "main over"])
    #expect(drive.broken == [])
  }

  @Test func `if a whole chain is removed, only remaining flows receive a step`() throws {
    var drive = try drive(["ask", "new"])
    drive.run(.dismiss(node: nil))
    #expect(drive.steps == ["main over", "main missed"])
    try check(drive, "main[home, log(what: left), log(what: missed)]")
  }

  @Test func `an else without a then sends nothing when a result is given`() throws {
    var drive = try drive(["quiet"])
    drive.step("pick", ["id": "x"])
    try check(drive, "main[home]")
  }

  @Test func `then is sent by the asking screen, whose content can be read`() throws {
    var drive = try Drive(
      """
      app: speaks
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, list: {} }
      steps: { ask: {}, pick: { id: string }, picked: { id: string } }
      flows:
        main:
          stack: { screen: home, content: { chosen: none } }
          handle:
            ask: { present: { flow: picker, then: { step: picked, with: { id: $result.id } } } }
            picked: { content: { chosen: $id } }
        picker: { stack: list, gives: { id: string }, handle: { pick: { finish: { id: $id } } } }
      """)
    drive.step("ask")
    drive.step("pick", ["id": "k"])
    try check(drive, "main[home~{chosen:k}]")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "update"])
  }

  @Test func `a flow that cannot be removed stays as an ended flow`() throws {
    var drive = try Drive(
      """
      app: stays
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, got: { params: { id: string } } }
      steps: { pick: { id: string }, picked: { id: string } }
      flows:
        main:
          tabs: [{ flow: picker, then: { step: picked, with: { id: $result.id } } }, home]
          handle: { picked: { present: got, with: { id: $id } } }
        picker: { stack: home, gives: { id: string }, handle: { pick: { finish: { id: $id } } } }
      """)
    drive.step("pick", ["id": "t"])
    try check(drive, "main<*picker[home], home> ^ got(id: t)")
    #expect(drive.tree.children?.first?.isEnded == true)
    drive.step("pick", ["id": "t"], from: drive.id("picker"))
    #expect(drive.refusal?.code != nil)
  }

  @Test func `a result that does not match gives is rejected, and no flow ends`() throws {
    var drive = try Drive(
      Self.app.replacing(
        "pick: { finish: { id: $id } }\n      new: { push: { flow",
        with: "pick: { finish: { id: $content.none } }\n      new: { push: { flow"))
    drive.step("ask")
    drive.step("pick", ["id": "x"])
    #expect(drive.refusal?.code == .valueMismatch)
    #expect(drive.sketch == "main[home] ^ picker[list]")
  }

  @Test func `a flow gives no result after its parent has ended, but sends else to a flow elsewhere`() throws {
    var drive = try Drive(
      """
      app: gone
      language: 1
      compat: { emits: any, words: [end] }
      root: { flow: main }
      facts: { n: { type: integer, default: 0 } }
      screens: { home: {}, list: {} }
      steps: { ask: {}, stop: {}, over: {}, missed: {}, picked: { id: string }, pick: { id: string }, out: {} }
      rules: [{ when: { fact: accessToken, is: absent }, send: out }]
      flows:
        main:
          stack: home
          handle:
            ask: { push: { flow: asking } }
            out: { set: [home] }
            missed: { write: { n: 1 } }
            over: []
        asking:
          screen: list
          handle:
            ask: { push: { flow: picker, then: { step: picked, with: { id: $result.id }, to: root }, else: { step: missed, to: root } } }
            stop: { end: over }
        picker: { screen: list, gives: { id: string }, handle: { pick: { finish: { id: $id } } } }
      """, creation: Creation(hasToken: true))
    drive.step("ask")
    drive.step("ask")
    try check(drive, "main[home, list, list]")
    var ended = drive
    ended.step("stop", from: ended.state.nodes.keys.sorted()[2])
    #expect(!ended.steps.contains("main missed"))
    ended.step("pick", ["id": "x"])
    #expect(!ended.steps.contains("main missed") && ended.broken == [])
    // A logout removes everything, including the flow that asked.
    var out = drive
    out.run(.logout)
    try check(out, "main[home]")
    #expect(out.steps == ["main out"])
    #expect(out.drops == [])
    // A popped flow sends `left`, and its step goes to the flow that `to` names.
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.steps == ["main missed"])
    #expect(drive.state.facts["n"] == 1)
  }

  @Test(arguments: 0..<20) func `invariants hold for random actions, and no flow gets two results`(seed: Int) throws {
    var drive = try Drive(Self.app.replacing("compat: {", with: "compat: { covered: accept,"))
    var chance = Chance(seed: UInt64(seed) &* 6_007 + 3)
    let words = ["ask", "askBeside", "askInPlace", "quiet", "new", "stop", "leave", "cover", "page", "drop", "clear"]
    for _ in 0..<60 {
      let asked = drive.state.nodes.values.filter { $0.resultReceiver != nil }.count
      let from = chance.isHeads(oneIn: 3) ? drive.state.nodes.keys.sorted().last : nil
      switch chance.below(4) {
      case 0: drive.step(words[chance.below(words.count)], from: from)
      case 1: drive.step(["pick", "made"][chance.below(2)], ["id": "x"], from: from)
      case 2: drive.step(words[chance.below(5)])
      default: drive.run([.pop(count: 1, node: nil), .dismiss(node: nil), .popToRoot, .facts(["outside": true])][chance.below(4)])
      }
      let answers = drive.steps.filter { ["main picked", "main missed", "picker stop", "picker pick"].contains($0) }.count
      let posted = drive.steps.first.map { ["picker stop", "picker pick"].contains($0) } ?? false
      #expect(answers - (posted ? 1 : 0) <= asked, "\(drive.steps)")
      #expect(drive.broken == [])
    }
    #expect(try drive.replayed() == drive.state)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
  }

  @Test func `the receiver of a result is restored from the journal`() throws {
    let drive = try drive(["ask", "new"])
    let state = drive.state
    #expect(state.nodes.values.compactMap(\.resultReceiver).count == 2)
    #expect(try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version) == state)
    var read = try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)
    var other = state
    let stamp = Stamp(time: 9, nonce: "x")
    _ = try drive.reducer.reduce(&read, .step(Step("made", params: ["id": "z"]), from: nil), stamp: stamp)
    _ = try drive.reducer.reduce(&other, .step(Step("made", params: ["id": "z"]), from: nil), stamp: stamp)
    #expect(read == other)
    // The receiver is also restored from the difference that the journal stores.
    var back = state
    try StateFormat.apply(StateFormat.difference(from: state, to: other), to: &back)
    #expect(back == other)
  }
}
