@testable import CairnCore
import CairnJournal
import CairnTesting
import Foundation
import Testing

@Suite struct `Storage format of states` {
  /// Checks that each state is restored from its differences and from its snapshot.
  private func check(_ states: [State]) throws {
    var built = StateFormat.empty
    var before = StateFormat.empty
    for state in states {
      try StateFormat.apply(StateFormat.difference(from: before, to: state), to: &built)
      #expect(built == state)
      #expect(try StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version) == state)
      // The reverse difference, because every field that can appear can also disappear.
      var back = state
      try StateFormat.apply(StateFormat.difference(from: state, to: before), to: &back)
      #expect(back == before)
      before = state
    }
  }

  @Test(arguments: 0..<8) func `random sessions are restored from differences and snapshots`(block: Int) throws {
    for seed in (block * 40)..<(block * 40 + 10) {
      guard var drive = try? Drive(RandomDefinition.make(seed: UInt64(seed)), creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 7919)
      var states = [drive.state]
      for _ in 0..<40 where drive.state.nodes.count < 300 {
        if chance.isHeads(oneIn: 8) { drive.advance(chance.below(4_000)) } else { drive.run(RandomAction.make(&chance, for: drive.state)) }
        states.append(drive.state)
      }
      try check(states)
    }
  }

  @Test func `a state that is read into a table with the names of its definition equals the original, and so do its later states`() throws {
    var drive = try Drive(app: "rxflow-demo", creation: Creation(manualClock: true))
    var start = StateFormat.empty
    start.nodes = drive.reducer.emptyTable
    var chance = Chance(seed: 11)
    for _ in 0..<40 {
      let bytes = StateFormat.snapshot(drive.state)
      var read = try StateFormat.state(bytes, version: StateFormat.version, over: start)
      #expect(read == drive.state)
      let action = RandomAction.make(&chance, for: drive.state)
      let before = drive.state
      drive.run(action)
      guard drive.state.revision > before.revision, let stamp = drive.entries.last?.stamp else { continue }
      _ = try drive.reducer.reduce(&read, action, stamp: stamp)
      #expect(read == drive.state)
    }
  }

  @Test func `every field of a state is restored`() throws {
    var full = State(revision: 9, root: NodeID(3), environment: ["A": "b\"\\\n\u{1}é🪨"], manualTime: 5)
    var node = Node(id: NodeID(3), kind: .oneOf, name: "n", flow: "f", owner: NodeID(1), parent: NodeID(2))
    for number in [4, 5, 8, 9] {
      let child = NodeID(number)
      full.nodes[child] = Node(id: child, kind: .screen, name: "s", owner: NodeID(3), parent: NodeID(3))
    }
    node.children = [NodeID(4), NodeID(5)]
    node.selected = 1
    node.presented = NodeID(6)
    node.style = .fullScreen
    node.on = NodeID(7)
    node.facts = ["f": 1]
    node.params = ["a": .array([.null, .bool(true), .integer(.min), .number(0.1), .number(1e300), .string("")])]
    node.content = Content(status: .failed, value: .null, error: "e")
    node.isEnded = true
    node.listen = Listen(hidden: true, dismissed: true)
    node.steps.removed = StepTemplate(
      "s",
      with: [
        "a": .literal(.object(["x": 1])), "b": .reference(.param("p")), "c": .reference(.content(["x", "y"], of: .screen("list"))),
        "d": .template([.text("t"), .reference(.fact("f"))]), "e": .array([.reference(.result(["r"]))]),
        "f": .object(["g": .reference(.authorizeURL)]), "h": .reference(.content([])), "i": .reference(.screen(["p", "q"])),
      ], to: .flow("f"))
    node.steps.seen = StepTemplate("seen", with: ["first": .reference(.isFirstSight)])
    node.steps.unseen = StepTemplate("unseen")
    node.leave = Leave(
      when: .fact("f", .isTrue), ask: StepTemplate("t", with: ["a": .literal(1)], to: .root), asksBeforeTabs: true)
    node.authorization = "z"
    node.resultReceiver = ResultReceiver(
      node: NodeID(4), then: StepTemplate("t", with: ["a": .reference(.result(["id"]))]), otherwise: StepTemplate("e"))
    node.visited = [NodeID(4), NodeID(8)]
    node.isCollapsed = true
    node.isOpened = true
    full.nodes[node.id] = node
    var raised = Node(id: NodeID(10), kind: .screen, name: "s", owner: NodeID(3), parent: NodeID(3))
    raised.level = 255
    raised.order = NodeID(13)
    full.nodes[raised.id] = raised
    var waiting = Node(id: NodeID(11), kind: .alert, name: "s", owner: NodeID(3), parent: NodeID(3))
    (waiting.level, waiting.waits) = (1, true)
    full.nodes[waiting.id] = waiting
    var overlay = Node(id: NodeID(12), kind: .screen, name: "s", owner: NodeID(3), parent: NodeID(3))
    overlay.slot = "top"
    full.nodes[overlay.id] = overlay
    full.sightings = [Sighting(node: NodeID(3), isSeen: true, wasTold: true)]
    full.facts = ["x": .null, "y": .object(["z": .array([])])]
    full.effects = [
      Effect(
        id: 1, owner: NodeID(3), start: 1,
        work: .timer(name: "t", step: Step("s", params: ["p": 1]), delay: 1, period: 2, ticks: 3), whileVisible: true, covered: .wait,
        to: .all),
      Effect(id: 4, owner: nil, start: 2, work: .value(.null, delay: 5, then: StepTemplate("a", to: .parent), otherwise: nil)),
      Effect(id: 5, owner: nil, start: 2, work: .request(url: "u", bearer: true, delay: 0, then: nil, otherwise: StepTemplate("b"))),
      Effect(
        id: 6, owner: nil, start: 2,
        work: .request(
          url: "u", bearer: false, delay: 0, then: nil,
          otherwise: StepTemplate("b", with: ["s": .reference(.error("status"))]),
          terms: CallTerms(
            method: .post, body: ["a": [1, .null]], headers: ["X-A": "1"], variables: ["X-B": "KEY"], timeout: 9,
            retry: Retry(count: 2, backoff: 500)))),
      Effect(id: 7, owner: nil, start: 3, work: .exchange()),
      Effect(
        id: 8, owner: nil, start: 3,
        work: .request(
          url: "u", bearer: true, delay: 1, then: nil, otherwise: nil,
          terms: CallTerms(
            polling: Polling(
              every: 5_000,
              until: .any([
                .all([.result(["a", "b"], .equals(.literal("x"))), .fact("f", .isTrue)]), .not(.result([], .absent)),
                .result(["c"], .present),
              ]))))),
    ]
    full.effects[0].isIdle = true
    full.effects[0].hasWaited = true
    full.nextEffect = 9
    full.refusedToken = 2
    full.nextNode = 90
    full.listeners = [Listener(node: NodeID(1), screen: "s", flow: NodeID(2))]
    full.pendingLinks = [PendingLink(id: LinkID(2), url: "u", until: 7), PendingLink(id: LinkID(3), url: "v", until: 8)]
    full.nextLink = 4
    full.questionBook = QuestionBook(
      asked: Question(
        id: QuestionID(1), node: NodeID(3), isGate: true, agreed: [NodeID(8)], aim: .keep(top: NodeID(4), above: NodeID(5)), action: "back",
        sender: Sender(client: "c", number: 2), firstNode: 20, firstEffect: 5, dialog: NodeID(21)), next: 2)
    full.login = Login(status: .failed, reason: "why")
    full.tokenWrites = 2
    full.manualRequests = true
    full.leftForeground = 5
    full.leftForegroundByClient = 6
    full.clients = [Sender(client: "c", number: 3), Sender(client: "d", number: 7)]
    full.contacts = [ClientContact(until: 4), ClientContact(until: 9)]
    full.heldActions = [
      HeldAction(id: HeldID(2), action: .remove(node: NodeID(4)), since: 3, until: 8, clients: ["c"]),
      HeldAction(id: HeldID(3), action: .step(Step("s", params: ["p": 1]), from: NodeID(1)), since: 4, until: 9, clients: []),
    ]
    full.zones = [ZoneWindow("Europe/Berlin", from: -9, until: 9, offset: 3_600, changes: [ZoneWindow.Change(at: 1, offset: -7_200)])]
    full.messageBook.note(EndedMessage(Message(key: "k", header: "h", digest: "d"), id: 3, isDone: true, result: ["a": 1]))
    #expect(FieldWalk.unset(in: full) == [])
    var other = full
    other.effects.remove(at: 1)
    other.effects[0].start = 99
    other.nodes[node.id]?.children = [NodeID(4), NodeID(8), NodeID(9)]
    other.nodes[node.id]?.content = nil
    other.nodes[node.id]?.leave = .refuse
    other.nodes[node.id]?.resultReceiver = nil
    other.nodes[node.id]?.isOpened = false
    other.nodes[waiting.id]?.waits = false
    other.nodes[node.id]?.visited = []
    other.nodes[overlay.id]?.slot = "bottom"
    other.questionBook.asked?.aim = .handle(Step("s", params: ["p": 1]), by: NodeID(3), from: NodeID(4))
    other.facts["x"] = 1
    other.leftForeground = nil
    other.leftForegroundByClient = nil
    other.refusedToken = nil
    var open = other
    open.nodes[node.id]?.leave = nil
    try check([full, other, open, other, StateFormat.empty, full])
  }

  @Test func `a push on a long stack is a short difference`() throws {
    var before = State(revision: 1)
    let stack = NodeID(1)
    before.nodes[stack] = Node(id: stack, kind: .stack, name: "main", owner: nil, parent: nil)
    func push(_ ids: ClosedRange<Int>, on state: inout State) {
      for id in ids.map({ NodeID($0) }) { state.nodes[id] = Node(id: id, kind: .screen, name: "page", owner: stack, parent: stack) }
      let isAdded = NodeFilling.addChildren(ids.map { NodeID($0) }, to: stack, in: &state.nodes)
      #expect(isAdded)
    }
    push(2...1_000, on: &before)
    before.nextNode = 1_001
    var after = before
    after.revision = 2
    after.nextNode = 1_002
    push(1_001...1_001, on: &after)
    let difference = StateFormat.difference(from: before, to: after)
    #expect(difference.count < 100)
    try check([before, after])
  }

  @Test(arguments: [
    "", "{", "{}x", "[]", "{\"r\":1,}", "{\"r\":1.5}", "{\"r\":\"1\"}", "{\"unknown\":1}", "{\"n\":[{\"k\":\"stack\"}]}",
    "{\"n\":[{\"i\":1,\"k\":\"round\"}]}", "{\"n\":[{\"i\":1,\"C\":[3]}]}",
    "{\"n\":[{\"i\":1,\"k\":\"stack\",\"c\":[2]}]}", "{\"n\":[{\"i\":1,\"c\":[2]},{\"i\":2,\"p\":1}]}",
    "{\"n\":[{\"i\":1,\"k\":\"stack\",\"c\":[2,2]},{\"i\":2,\"p\":1}]}", "{\"n\":[{\"i\":1,\"k\":\"stack\",\"c\":[2]},{\"i\":2,\"p\":3}]}",
    "{\"f\":{\"a\":}}", "{\"f\":{\"a\":\"\\ud8\"}}",
    "{\"f\":{\"a\":tru}}",
    "{\"e\":[{\"id\":1}]}", "{\"g\":{\"status\":\"tired\"}}",
  ]) func `malformed bytes are rejected`(text: String) {
    #expect(throws: UnreadableFormat.self) { try StateFormat.state(Array(text.utf8), version: StateFormat.version) }
  }

  @Test func `a newer format is rejected`() {
    #expect(throws: UnreadableFormat.self) { try StateFormat.state(Array("{}".utf8), version: StateFormat.version + 1) }
  }

  @Test func `every cause is restored`() throws {
    let route = Action.Route("s", params: ["a": .array([1, "x"])])
    let actions: [Action] = [
      .step(Step("s", params: ["p": .null]), from: NodeID(3)), .step(Step("s"), from: nil), .pop(count: 2, node: NodeID(1)),
      .pop(count: 1, node: nil), .popTo(.screen("s")), .popTo(.node(NodeID(2))), .popToRoot, .back, .dismiss(node: nil),
      .dismiss(node: NodeID(1)),
      .select(.tab(2), node: nil), .select(.flow("f"), node: NodeID(4)), .push(route),
      .present(route, style: .alert, node: NodeID(1), replace: true), .present(route, style: .sheet, node: nil, replace: false),
      .set([route, Action.Route("t")]), .set([]), .remove(node: NodeID(5)), .retry(key: "o \"7\""),
      .login(hasCode: true, state: "s", error: nil, byOperator: true), .login(hasCode: false, state: nil, error: "e", byOperator: false),
      .logout, .token, .appState(.inactive), .appState(.foreground), .appState(.background), .facts(["a": .null, "b": 1]),
      .open(url: "x://\"é"),
      .notification(url: "u", category: "c", tap: false, appState: .foreground),
      .cancel(link: LinkID(3)), .cancelQuestion(QuestionID(4)),
      .cancelHeld(HeldID(5)), .contact, .settled(.logout), .settled(.step(Step("s", params: ["p": 1]), from: NodeID(2))),
      .notification(
        url: nil, category: "c", tap: true, appState: .background,
        .init(values: ["id": 7, "b": ["x"]], action: "a", reply: "r", isSilent: true)),
      .notification(url: nil, category: nil, tap: true, appState: .killed), .advance(to: 5), .effect(id: 1, .due(tick: 2)),
      .effect(id: 1, .loaded(.null)), .effect(id: 1, .loaded(["a": 1])), .effect(id: 1, .failed("f")), .effect(id: 1, .exchanged),
      .effect(id: 1, .tokenExpired),
    ]
    var causes = actions.map(Entry.Cause.action)
    causes.append(
      .creation(Creation(hasToken: true, facts: ["f": .null], environment: ["A": "b"], manualClock: true)))
    for cause in causes {
      let sender = Sender(client: "client-of-twenty-two-xy", number: State.highestNumber)
      for (author, sender) in [(nil, nil), ("eve \"e\"", nil), (nil, sender)] as [(String?, Sender?)] {
        var stamp = Stamp(time: 5, nonce: "n", sender: sender)
        if sender != nil {
          stamp.clientTime = ClientTime(clock: State.latestTime, happened: 4)
          stamp.covers = [Cover(NodeID(3)), Cover(NodeID(4), over: NodeID(2))]
        }
        let entry = Entry(revision: 7, stamp: stamp, cause: cause, author: author, request: "r")
        let read = try CauseFormat.read(CauseFormat.bytes(entry), version: CauseFormat.version)
        #expect(try read.entry(revision: 7, time: 5, nonce: "n", request: "r") == entry)
      }
    }
  }
}
