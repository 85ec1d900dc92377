import CairnCore
import CairnJournal
import Testing

@Suite struct `Stored values are equal after reading` {
  private func roundTrip(_ value: Value) throws -> Value {
    var writer = JSONWriter()
    value.write(to: &writer)
    return try JSONDocument.read(try writer.bytes(), depthLimit: 8) { $0.value }
  }

  private func roundTrip(_ state: State) throws -> State {
    try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)
  }

  @Test(
    arguments: [
      .null, true, 0, -1, 1, .integer(.max), .integer(.min), .number(1.5), .number(-0.25), .number(1e300), "", "a\u{0}\u{1F600}/\"\\", [],
      [:],
      [.null, [.null]], ["a": .null, "b": ["c": .null]], ["n": [1, .number(2.5), "x", false]],
    ] as [Value]) func `a value is read as written`(value: Value) throws
  {
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip(["nested": value]) == ["nested": value])
    var state = State()
    state.facts = ["plain": value, "nested": ["value": value]]
    #expect(try roundTrip(state).facts == state.facts)
  }

  @Test func `content with a null value and without a value are distinct`() throws {
    for content in [Content(status: .loaded, value: .null), Content(status: .loading), Content(status: .failed, value: 1, error: "x")] {
      var node = Node(id: NodeID(1), kind: .screen, name: "home", owner: nil, parent: nil)
      node.content = content
      var state = State()
      state.nodes[node.id] = node
      state.nextNode = 2
      #expect(try roundTrip(state).nodes[node.id]?.content == content)
    }
  }

  @Test func `effects keep all their members`() throws {
    let then = StepTemplate(
      "then",
      with: ["a": .reference(.result(["x"])), "b": .literal(.null), "c": .object(["d": .reference(.content(["e"], of: .flow("f")))])])
    for work in [
      Effect.Work.value(.null, delay: 1, then: then, otherwise: nil),
      .request(url: "u", bearer: true, delay: 0, then: nil, otherwise: then),
      .timer(name: nil, step: Step("s", params: ["p": .null]), delay: 1, period: 2, ticks: 3), .exchange(.code), .exchange(.refresh),
    ] {
      var state = State()
      state.effects = [Effect(id: 1, owner: NodeID(2), start: 3, work: work, whileVisible: true)]
      state.nextEffect = 2
      #expect(try roundTrip(state).effects == state.effects)
    }
  }

  @Test func `every action is read as written`() throws {
    let route = Action.Route("s", params: ["a": .null])
    let actions: [Action] = [
      .step(Step("s"), from: nil), .step(Step("s", params: ["a": 1]), from: NodeID(3)), .pop(count: 1, node: nil),
      .pop(count: 3, node: nil),
      .pop(count: 1, node: NodeID(1)), .popTo(.screen("s")), .popTo(.node(NodeID(4))), .popToRoot, .back, .dismiss(node: nil),
      .dismiss(node: NodeID(1)),
      .select(.tab(0), node: nil), .select(.flow("f"), node: NodeID(1)), .push(route),
      .present(route, style: .alert, node: NodeID(1), replace: true),
      .present(route, style: .sheet, node: nil, replace: false), .set([route, route]), .remove(node: NodeID(1)), .retry(key: "o7"),
      .login(hasCode: true, state: "s", error: nil, byOperator: false), .login(hasCode: false, state: nil, error: "e", byOperator: true),
      .logout,
      .token, .appState(.background), .facts(["a": .null]), .open(url: "u"),
      .notification(url: nil, category: nil, tap: false, appState: .killed), .advance(to: 5),
      .effect(id: 1, .due(tick: 2)), .effect(id: 1, .loaded(.null)), .effect(id: 1, .loaded(["a": 1])), .effect(id: 1, .failed("r")),
      .effect(id: 1, .exchanged),
    ]
    let creation = Creation(hasToken: true, facts: ["f": .null], manualRequests: true)
    for cause in actions.map(Entry.Cause.action) + [.creation(creation)] {
      let entry = Entry(revision: 2, stamp: Stamp(time: 1, nonce: "n"), cause: cause, author: "eve")
      let read = try CauseFormat.read(CauseFormat.bytes(entry), version: CauseFormat.version)
      #expect(read.cause == cause)
      #expect(read.author == "eve")
    }
  }
}
