import CairnAPI
import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// Each body with all its optional members, and with none of them.
@Suite struct `Members of response bodies` {
  private func expect(_ body: some JSONWritable, _ component: Component?, is expected: Value) throws {
    let written = try json(body)
    #expect(written == expected)
    if let component { #expect(SchemaDocument.faults(written, component) == []) }
  }

  @Test func `the response to a deletion of many sessions has its members`() throws {
    try expect(EndedBody(ended: 3, next: nil), .endedSessions, is: ["ended": 3])
    try expect(EndedBody(ended: 0, next: "/n"), .endedSessions, is: ["ended": 0, "next": "/n"])
  }

  @Test func `the end event of a stream has its members`() throws {
    let origin = ChangeBody.Origin(session: "s" + String(repeating: "a", count: 23), app: "a", label: "l")
    try expect(EndBody("stopping"), .heardEnd, is: ["reason": "stopping"])
    try expect(
      EndBody("deleted", origin: origin, time: 1_000), .heardEnd,
      is: ["reason": "deleted", "session": .string(origin.session), "app": "a", "label": "l", "at": "1970-01-01T00:00:01.000Z"])
  }

  @Test func `a ticket has its members`() throws {
    try expect(TicketBody("t", expiresAt: 60_000), .ticket, is: ["ticket": "t", "expiresAt": "1970-01-01T00:01:00.000Z"])
  }

  @Test func `the response to a put and a check contains the warnings`() throws {
    let warnings = [CheckBody.Warning("a"), .init("b", line: 3, column: 7)]
    let told: Value = [["message": "a"], ["message": "b", "line": 3, "column": 7]]
    try expect(
      PublishedBody(app: "a", definition: "h", changed: true, warnings: warnings), .published,
      is: ["app": "a", "definition": "h", "changed": true, "warnings": told])
    try expect(
      CheckBody(app: "a", definition: "h", warnings: warnings), .check,
      is: ["app": "a", "definition": "h", "problems": [], "warnings": told])
  }

  @Test func `the versions of an app have their members`() throws {
    let versions = [
      VersionsBody.Version(definition: "h1", current: false, since: 0, by: nil, sessions: 2),
      .init(definition: "h2", current: true, since: 1, by: "ops", sessions: 0),
    ]
    try expect(
      VersionsBody(app: "a", versions: versions), .versions,
      is: [
        "app": "a",
        "versions": [
          ["definition": "h1", "current": false, "since": "1970-01-01T00:00:00.000Z", "sessions": 2],
          ["definition": "h2", "current": true, "since": "1970-01-01T00:00:00.001Z", "by": "ops", "sessions": 0],
        ],
      ])
  }

  @Test func `readiness contains a note, and a fault without details`() throws {
    var body = ReadinessBody([.init("journal"), .init("definitions", note: "one is old")])
    #expect(body.ready && body.text == "[+]journal ok\n[+]definitions ok: one is old\n")
    try expect(
      body, .readiness,
      is: ["ready": true, "parts": [["name": "journal", "ok": true], ["name": "definitions", "ok": true, "detail": "one is old"]]])
    body = ReadinessBody([.init("store", fault: "full", note: "unread")])
    #expect(!body.ready && body.text == "[-]store failed: full\n")
    body.parts[0].detail = nil
    #expect(body.text == "[-]store failed: no details\n")
  }

  @Test func `a page of sessions names those that cannot be read`() throws {
    struct Item: JSONWritable {
      func write(to writer: inout JSONWriter) { "x".write(to: &writer) }
    }
    try expect(SessionsBody<Item>(sessions: [], next: nil), nil, is: ["sessions": []])
    try expect(
      SessionsBody(sessions: [Item()], damaged: ["s2"], next: "/n"), nil, is: ["sessions": ["x"], "damaged": ["s2"], "next": "/n"])
  }

  @Test func `the pending requests of a session have their members`() throws {
    var state = State()
    let terms = CallTerms(method: .post, timeout: 2_000)
    state.effects = [
      Effect(id: 1, owner: NodeID(3), start: 0, work: .request(url: "u", bearer: false, delay: 5, then: nil, otherwise: nil)),
      Effect(
        id: 2, owner: nil, start: 0, work: .request(url: "u", bearer: true, delay: 0, then: nil, otherwise: nil, terms: terms)),
      Effect(id: 3, owner: NodeID(4), start: 100, work: .timer(name: nil, step: Step("t"), delay: 5, period: 10, ticks: 2)),
    ]
    let body = try json(PendingBody.all(of: state))
    #expect(
      body == [
        ["kind": "load", "node": "n3", "due": "1970-01-01T00:00:00.005Z"],
        ["kind": "load", "method": "POST", "due": "1970-01-01T00:00:00.000Z", "until": "1970-01-01T00:00:02.000Z"],
        ["kind": "timer", "node": "n4", "step": "t", "due": "1970-01-01T00:00:00.130Z"],
      ])
    guard case .array(let items) = body else { return }
    for item in items { #expect(SchemaDocument.faults(item, .pending) == []) }
  }
}

@Suite struct `Bodies of sessions` {
  private static let id = "s" + String(repeating: "A", count: 23)
  private let drive: Drive

  init() throws {
    var drive = try Drive(
      """
      app: small
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { beta: { type: boolean, by: client } }
      screens: { home: { emits: [go] }, detail: }
      steps: { go: }
      flows: { main: { stack: home, handle: { go: { push: detail } } } }
      """, creation: Creation(hasToken: true, manualClock: true))
    drive.step("go")
    self.drive = drive
  }

  private func session() -> SessionBody {
    SessionBody(
      id: Self.id, app: "small", definition: "h", label: "l", createdAt: 0, updatedAt: 1, state: drive.state, reducer: drive.reducer)
  }

  @Test func `a session has all members of its schema`() throws {
    var session = session()
    session.expiresAt = 2_000
    let body = try json(session)
    #expect(SchemaDocument.faults(body, .session) == [])
    #expect(body["clock"] == "manual" && body["now"] != nil && body["expiresAt"] == "1970-01-01T00:00:02.000Z")
    #expect(body["facts"] == ["accessToken": true] && body["revision"] == 2)
    #expect(body.at(["visible", "screen"]) == "detail" && body.at(["accepts", "facts"]) == ["beta": "boolean?"])
    #expect(body["secret"] == nil && body["opened"] == nil)
  }

  @Test func `a created session contains its secret and the outcome of its link`() throws {
    var session = session()
    session.secret = "cs_" + String(repeating: "b", count: 43)
    session.opened = .refused(Problem(Refusal(.unknownLink, "no")))
    let refused = try json(session)
    #expect(SchemaDocument.faults(refused, .startedSession) == [])
    #expect(refused.at(["opened", "code"]) == "unknown-link")
    session.opened = .performed(ActionBody(drive.last, revision: 2, seen: Seen(drive.state, drive.reducer, isMinimal: true)))
    let performed = try json(session)
    #expect(SchemaDocument.faults(performed, .startedSession) == [])
    #expect(performed.at(["opened", "outcome"]) == "performed" && performed.at(["opened", "tree"]) == nil)
  }

  @Test func `a session in a list has neither tree nor facts`() throws {
    let body = try json(SessionsBody(sessions: [SessionItem(session())], damaged: [Self.id], next: nil))
    #expect(SchemaDocument.faults(body, .sessionPage) == [])
    guard case .array(let items)? = body["sessions"], case .object(let item)? = items.first else { throw CancellationError() }
    #expect(item.keys.sorted() == ["app", "createdAt", "definition", "id", "label", "revision", "updatedAt", "visible"])
  }

  @Test func `responses to an action, to several actions and to a plan fit their schemas`() throws {
    let seen = Seen(drive.state, drive.reducer)
    let one = try json(ActionBody(drive.last, revision: 2, seen: seen))
    #expect(SchemaDocument.faults(one, .performed) == [] && one["plan"] == nil)
    let all = try json(ActionsBody(revision: 2, answers: [ActionBody(drive.last, revision: 2)], seen: seen))
    #expect(SchemaDocument.faults(all, .performedAll) == [])
    guard case .array(let answers)? = all["answers"] else { throw CancellationError() }
    #expect(answers.count == 1 && answers[0]["tree"] == nil && answers[0]["changes"] == one["changes"] && all["tree"] == one["tree"])
    let plan = try json(ActionBody(drive.last, revision: 2, seen: seen, plan: PlanBody()))
    #expect(SchemaDocument.faults(plan, .performed) == [] && plan["plan"] == true)
    let plans = try json(ActionsBody(revision: 2, answers: [], seen: seen, plan: PlanBody()))
    #expect(SchemaDocument.faults(plans, .performedAll) == [] && plans["plan"] == true)
  }

  @Test func `the minimal view contains only the stack of the session`() throws {
    let stack = try json(StackBody(drive.state, drive.reducer))
    #expect(SchemaDocument.faults(stack, .stack) == [])
    #expect(try stack == json(session())["stack"])
  }

  /// Bodies that are on the hot path are written by functions, beside their schemas.
  @Test func `a body that is written by hand has exactly the members of its schema`() throws {
    var tree = Tree(id: NodeID(1), kind: .stack, name: "main")
    (tree.flow, tree.params, tree.children, tree.selected, tree.presented) = ("f", ["p": 1], [], 0, tree)
    (tree.style, tree.level, tree.levels, tree.on, tree.meta) = (.sheet, 1, [], NodeID(2), "m")
    (tree.slot, tree.overlays, tree.order) = ("top", [], 3)
    tree.facts = ["f": 1]
    tree.content = Content(status: .failed, value: 1, error: "e")
    for row in NodeFlags.rows { tree.flags[row.flag] = true }
    try expect([tree], .node)
    try expect([RouteEntry(id: NodeID(1), screen: "home", params: ["p": 1], flow: "f", presented: true)], .route)
    try expect(
      [ReplicaBody.whole(.init(definition: "h", revision: 1, last: 2, state: Array("{}".utf8), withheld: []))], .replica)
    var event = Event(
      .dropped, flow: "f", node: NodeID(1), step: Step("s", params: ["p": 1]), reason: "r", url: "u", category: "c", link: LinkID(1),
      question: QuestionID(1), sender: Sender(client: "c", number: 1), isFirst: true, key: "k")
    (event.type, event.held) = (.linkHeld, HeldID(1))
    try expect([event], .event)

    var transition = drive.last
    (transition.reason, transition.link) = ("r", LinkID(1))
    var session = session()
    session.expiresAt = 2_000
    session.predictions = []
    let included = IncludedMembers(.askable, of: session, replica: .difference([]))
    let seen = Seen(drive.state, drive.reducer)
    let action = ActionBody(transition, revision: 2, seen: seen, plan: PlanBody(), included: included)
    try expect([action], .performed)
    try expect([ActionsBody(revision: 2, answers: [], seen: seen, plan: PlanBody(), included: included)], .performedAll)

    var entry = try #require(drive.entries.last)
    (entry.author, entry.request) = ("ops", "r1")
    entry.stamp.sender = Sender(client: "c", number: 1)
    entry.stamp.clientTime = ClientTime(clock: 1, happened: 2)
    try expect([EntryBody(entry, transition)], .entry)
    let origin = ChangeBody.Origin(session: Self.id, app: "small", label: "l")
    try expect([ChangeBody(entry, transition, origin: origin, predictions: [], replica: .difference([]))], .heardChange)
    let problem = Problem(Refusal(.unknownLink, "no"))
    try expect(
      [PredictionBody(.advance(by: 1), .performed(transition)), PredictionBody(nil, .refused(problem))], .prediction)
  }

  /// Compares the members of all bodies together with those of a schema.
  private func expect(_ bodies: [any JSONWritable], _ component: Component) throws {
    guard case .object(let properties)? = component.schema.value["properties"] else { throw CancellationError() }
    var written: Set<String> = []
    for body in bodies {
      guard case .object(let members) = try json(body) else { throw CancellationError() }
      written.formUnion(members.keys)
    }
    #expect(written.sorted() == properties.keys.sorted(), "\(component.rawValue)")
  }

  @Test func `a change event has the members of a history entry, with cause in place of action`() throws {
    var entry = try #require(drive.entries.last)
    entry.author = "ops"
    entry.request = "r1"
    let (heard, kept) = (try json(ChangeBody(entry, drive.last)), try json(EntryBody(entry, drive.last)))
    #expect(SchemaDocument.faults(heard, .heardChange) == [] && SchemaDocument.faults(kept, .entry) == [])
    #expect(heard["cause"] == kept["action"] && heard["action"] == nil && kept["cause"] == nil)
    for name in ["at", "by", "request", "revision", "outcome", "events", "changes"] {
      #expect(heard[name] == kept[name] && kept[name] != nil)
    }
    let origin = ChangeBody.Origin(session: Self.id, app: "small", label: "l", definition: "h")
    let start = try json(ChangeBody(drive.entries[0], drive.last, origin: origin))
    #expect(SchemaDocument.faults(start, .heardStart) == [])
    #expect(start["session"] == .string(Self.id) && start["definition"] == "h" && start.at(["cause", "type"]) == "create")
  }

  @Test(arguments: ["flow-controller-modal", "flow-controller-push", "load-studies", "qiita", "rxflow-demo", "shop"])
  func `every response of a recorded journal fits its schema`(name: String) throws {
    let journal = try JournalFixture("\(name).json")
    let reducer = Reducer(try DefinitionLoader.load(canonical: journal.definition).definition)
    var state = State()
    for entry in journal.entries {
      let transition: Transition
      switch entry.cause {
      case .creation(let creation): (state, transition) = try reducer.create(creation, stamp: entry.stamp)
      case .action(let action): transition = try reducer.reduce(&state, action, stamp: entry.stamp)
      case .replacement: throw CancellationError()
      }
      let answer = ActionBody(transition, revision: state.revision, seen: Seen(state, reducer))
      let session = SessionBody(
        id: Self.id, app: name, definition: "h", label: nil, createdAt: 0, updatedAt: 0, state: state, reducer: reducer)
      #expect(SchemaDocument.faults(try json(answer), .performed) == [], "revision \(entry.revision)")
      #expect(SchemaDocument.faults(try json(session), .session) == [], "revision \(entry.revision)")
      #expect(SchemaDocument.faults(try json(EntryBody(entry, transition)), .entry) == [], "revision \(entry.revision)")
    }
  }
}
