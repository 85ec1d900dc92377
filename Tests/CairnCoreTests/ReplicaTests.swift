import CairnCore
import CairnTesting
import Testing

@Suite struct `A replica in a client` {
  @Test func `an action with a secret is not predicted, and a fact that clients do not see is not in the replica`() throws {
    var sides = try TwoSides(
      Drive(
        """
        app: a
        language: 1
        compat: { emits: any }
        root: { flow: main }
        facts: { plan: { type: string, default: hidden-plan, env: PLAN } }
        screens: { home: {}, safe: { params: { pin: { type: string, secret: true } } } }
        steps: { enter: { pin: { type: string, secret: true } }, ask: {} }
        flows:
          main:
            stack: home
            handle:
              enter: { push: safe, with: { pin: $pin } }
              ask: { when: { fact: plan, is: other }, do: { push: home } }
        """
      ).reducer.definition)
    let state = String(decoding: try ReplicaFormat.state(sides.service, by: sides.reducer), as: UTF8.self)
    #expect(!state.contains("hidden-plan"))
    #expect(sides.replica.predict(.step(Step("enter", params: ["pin": "1234"]), from: nil), number: 1, at: 0) == .unpredictable)
    _ = sides.replica.drop(1)
    #expect(sides.replica.predict(.step(Step("ask"), from: nil), number: 2, at: 0) == .unpredictable)
    _ = sides.replica.drop(2)
    let wrong = sides.replica.predict(.step(Step("enter", params: ["pin": 1]), from: nil), number: 3, at: 0)
    guard case .refused(let refusal) = wrong, refusal.code == .invalid else { throw NeverCame("a refusal, but \(wrong)") }
    #expect(sides.replica.waiting == [3])
    #expect(sides.replica.tree == sides.reducer.tree(of: sides.service))
  }

  @Test(arguments: [
    ("$fact.plan", Migration()), ("1", Migration(steps: ["gone": .keep(as: "gone", params: ["x": .reference(.fact("plan"))])])),
  ])
  func `a hidden value in a step that a node carries stays hidden in a definition without the fact`(value: String, migration: Migration)
    throws
  {
    func app(_ facts: String, _ value: String) -> String {
      """
      app: a
      language: 1
      compat: { emits: any, words: [show] }
      root: { flow: main }
      facts: { \(facts) }
      screens: { home: {}, list: {}, note: { params: { text: any } } }
      steps: { show: {}, gone: { x: any } }
      flows:
        main:
          stack: home
          handle:
            show: { push: list, removed: { step: gone, with: { x: \(value) } } }
            gone: { push: note, with: { text: $x } }
      """
    }
    var drive = try MigrationDrive(app("plan: { type: string, env: PLAN, default: hidden-plan }", value))
    drive.step("show")
    try drive.migrate(to: app("", "1"), migration)
    #expect(drive.sketch == "main[home, list]")
    let state = try ReplicaFormat.state(drive.state, by: drive.reducer)
    #expect(!String(decoding: state, as: UTF8.self).contains("hidden-plan"))
    var replica = try Replica(drive.reducer.definition, state: state)
    #expect(replica.predict(.back, number: 1, at: 0) == .unpredictable)
    #expect(try StateFormat.state(StateFormat.snapshot(drive.state), version: StateFormat.version) == drive.state)
    drive.run(.back)
    #expect(drive.sketch == "main[home, note(text: hidden-plan)]", "the service has the value")
  }

  @Test(arguments: ["removed", "seen", "unseen"]) func `the value of a hidden fact in a step of a node stays in the service`(member: String)
    throws
  {
    var drive = try Drive(
      """
      app: a
      language: 1
      root: { flow: main }
      facts: { plan: { type: string, default: hidden-plan, env: PLAN } }
      screens: { home: { emits: { shown: { id: integer } } }, list: }
      steps: { noted: { value: any } }
      flows:
        main:
          stack: home
          handle:
            shown: { push: list, \(member): { step: noted, with: { value: { id: $id, plan: $fact.plan } } } }
            noted: []
      """)
    drive.step("shown", ["id": 7])
    let stored = String(decoding: StateFormat.snapshot(drive.state), as: UTF8.self)
    #expect(stored.contains("hidden-plan") && stored.contains("\"\(member == "removed" ? "x" : member)\""))
    let state = String(decoding: try ReplicaFormat.state(drive.state, by: drive.reducer), as: UTF8.self)
    #expect(state.contains("noted") && !state.contains("hidden-plan"))
  }

  @Test func `after the service was restored, an action that is run again does not get the node of one that is gone`() throws {
    var drive = try Drive(
      """
      app: a
      language: 1
      compat: { emits: any, words: [show] }
      root: { flow: main }
      screens: { home: {}, list: {}, page: {} }
      steps: { show: {}, open: {} }
      flows: { main: { stack: home, handle: { show: { push: list }, open: { push: page } } } }
      """)
    let (backup, definition) = (try ReplicaFormat.state(drive.state, by: drive.reducer), drive.reducer.definition)
    drive.step("show")
    var replica = try Replica(definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    _ = replica.predict(.step(Step("open"), from: nil), number: 1, at: 0)
    var played = replica.tree
    let update = try replica.adopt(backup, through: 0)
    played = played.renaming(update.renamed)
    #expect(played.play(update.changes) && played == replica.tree && played.sketch == "main[home, page]")
  }

  @Test func `a gesture on a predicted screen that did not come does nothing to the foreign screen that has its id now`() throws {
    var drive = try Drive(
      """
      app: a
      language: 1
      compat: { emits: any, words: [show] }
      root: { flow: main }
      screens: { home: {}, list: {}, page: {} }
      steps: { show: {}, open: {} }
      flows: { main: { stack: home, handle: { show: { push: list }, open: { push: page } } } }
      """)
    var replica = try Replica(drive.reducer.definition, state: ReplicaFormat.state(drive.state, by: drive.reducer))
    guard case .shown(_, let created, _) = replica.predict(.step(Step("open"), from: nil), number: 1, at: 0) else { throw NeverCame() }
    _ = replica.predict(.gesture(.back, from: created[0]), number: 2, at: 0)
    _ = replica.drop(1)
    let before = drive.state
    drive.step("show")
    #expect(drive.id("list") == created[0], "the id is that of the predicted screen")
    let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: drive.state), by: drive.reducer)
    _ = try replica.confirm(difference, number: nil)
    #expect(replica.waiting == [2] && replica.tree.sketch == "main[home, list]")
  }

  /// An app with a step that no client predicts, because it has a secret.
  private static let safe = """
    app: safe
    language: 1
    compat: { emits: any, words: [show] }
    root: { flow: main }
    screens: { home: {}, list: {}, safe: { params: { pin: { type: string, secret: true } } } }
    steps: { enter: { pin: { type: string, secret: true } }, show: {} }
    flows:
      main:
        stack: home
        handle:
          enter: { push: safe, with: { pin: $pin } }
          show: { push: list }
    """

  @Test func `steps wait behind an unpredictable action, gestures do not, and all are shown in their order`() throws {
    let definition = try Drive(Self.safe).reducer.definition
    let show = Action.step(Step("show"), from: nil)
    let enter = Action.step(Step("enter", params: ["pin": "1234"]), from: nil)
    var replica = try TwoSides(definition).replica
    #expect(replica.predict(show, number: 1, at: 0) != .waiting)
    #expect(replica.predict(enter, number: 2, at: 0) == .unpredictable)
    #expect(replica.predict(show, number: 3, at: 0) == .waiting)
    #expect(replica.predict(show, number: 4, at: 0) == .waiting)
    #expect(replica.tree.sketch == "main[home, list]")
    guard case .shown = replica.predict(.back, number: 5, at: 0) else { throw NeverCame("a gesture behind waiting steps") }
    #expect(replica.tree.sketch == "main[home]")
    // The service refuses the step. The replica then shows the steps that waited behind it, and the gesture after them.
    var other = replica
    let update = replica.drop(2)
    #expect(replica.tree.sketch == "main[home, list, list]" && !update.changes.isEmpty)
    #expect(replica.waiting == [1, 3, 4, 5])
    // The client shows the waiting steps without a response to the unpredictable step, so a later step does not wait either.
    _ = other.proceed()
    #expect(other.tree.sketch == "main[home, list, list]" && other.waiting == [1, 2, 3, 4, 5])
    #expect(other.predict(show, number: 6, at: 0) != .waiting && other.tree.sketch == "main[home, list, list, list]")
    #expect(other.proceed() == ReplicaUpdate())
  }

  @Test func `a step with a sealed secret is predicted, and its confirmation changes nothing`() throws {
    var sides = try TwoSides(try Drive(Self.safe).reducer.definition)
    let reducer = sides.reducer
    func enter(_ pin: Value) -> Action { .step(Step("enter", params: ["pin": pin]), from: nil) }
    guard case .shown = sides.replica.predict(enter(.object(["key": "k", "sealed": "AA"])), number: 1, at: 0),
      case .shown = sides.replica.predict(.step(Step("show"), from: nil), number: 2, at: 0)
    else { throw NeverCame("a step with a sealed secret, and one after it") }
    #expect(sides.replica.tree.sketch == "main[home, safe(pin: true), list]")
    guard case .refused = sides.replica.predict(enter(.object(["key": "k"])), number: 3, at: 0) else { throw NeverCame("a refusal") }
    _ = sides.replica.drop(3)
    // The service decrypts the value before it runs the action.
    let before = sides.service
    let action = try reducer.seal(.action(enter("1234")), for: before).action
    _ = try reducer.reduce(&sides.service, action, stamp: Stamp(time: 2_000, nonce: ""))
    let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: sides.service), by: reducer)
    #expect(try sides.replica.confirm(difference, number: 1) == ReplicaUpdate())
    #expect(sides.replica.waiting == [2] && sides.replica.tree.sketch == "main[home, safe(pin: true), list]")
  }

  @Test(arguments: ["delivery", "qiita", "shop"]) func `a session that begins in the client is the one that the service creates`(
    app: String
  ) throws {
    let definition = try Drive(app: app).reducer.definition
    let reducer = Reducer(definition)
    let service = try reducer.create(Creation(), stamp: Stamp(time: 5_000, nonce: "n")).state
    var replica = try Replica(try DefinitionFormat.read(DefinitionFormat.bytes(definition)), startingAt: 1_000)
    #expect(replica.tree == reducer.tree(of: service) && replica.revision == 1 && replica.waiting == [])
    // The first actions of a new session stay pending until the service has created the session.
    _ = replica.predict(.back, number: 1, at: 1_000)
    #expect(try replica.adopt(ReplicaFormat.state(service, by: reducer), through: 0) == ReplicaUpdate())
    #expect(replica.waiting == [1])
  }

  @Test func `an app that begins by a hidden value cannot begin in the client`() throws {
    let definition = try Drive(
      """
      app: a
      language: 1
      root: { flow: main, start: begin }
      facts: { plan: { type: string, env: PLAN } }
      screens: { home: {}, other: {} }
      steps: { begin: }
      flows:
        main:
          stack: []
          handle: { begin: [{ when: { fact: plan, is: new }, do: { push: other } }, { do: { push: home } }] }
      """
    ).reducer.definition
    #expect(throws: UnreadableFormat(reason: "the app's initial state depends on values that only the service has")) {
      try Replica(DefinitionFormat.read(DefinitionFormat.bytes(definition)), startingAt: 0)
    }
  }

  @Test func `a flow that goes on outside the tree comes back whole when its removal is refused`() throws {
    var sides = try TwoSides(
      Drive(
        """
        app: a
        language: 1
        compat: { emits: any, words: [listen, show] }
        root: { flow: main }
        screens: { home: {}, card: {}, note: {} }
        steps: { show: null, leave: null, tell: null }
        flows:
          main:
            stack: home
            handle:
              show: { push: { flow: solo, listen: { dismissed: true } } }
              leave: pop
          solo:
            screen: card
            handle: { tell: { present: note, sealed: true } }
        """
      ).reducer.definition)
    sides.intrude(.step(Step("show"), from: nil))
    let card = try #require(sides.service.nodes.values.first { $0.name == "card" }?.id)
    sides.act(.step(Step("leave"), from: card))
    #expect(sides.played.sketch == "main[home]" && sides.replica.shown.listeners.contains { $0.node == card })
    sides.intrude(.step(Step("tell"), from: nil))
    #expect(sides.played.sketch == "main[home, card ^ note]")
    sides.deliver()
    #expect(sides.faults == [] && sides.repaints == 2)
  }

  @Test func `tabs that only a prediction had leave no selection`() throws {
    var sides = try TwoSides(
      Drive(
        """
        app: a
        language: 1
        compat: { emits: any }
        root: { flow: main }
        screens: { home: {}, card: {} }
        steps: { fill: null }
        flows:
          main: { tabs: [], handle: { fill: { set: [home, card] } } }
        """
      ).reducer.definition)
    sides.act(.step(Step("fill"), from: nil))
    #expect(sides.played.selected == 0)
    // The service refuses the post.
    sides.queue.removeAll()
    let update = sides.replica.drop(sides.number)
    #expect(sides.played.play(update.changes) && sides.played == sides.replica.tree && sides.played.selected == nil)
  }

  @Test func `a confirmation forgets the actions before it, which had no effect`() throws {
    let definition = try Drive(Self.safe).reducer.definition
    var sides = try TwoSides(definition)
    let show = Action.step(Step("show"), from: nil)
    for action in [show, .back, show] { sides.act(action) }
    #expect(sides.played.sketch == "main[home, list]")
    // The service refuses the first two actions; their responses arrive after the entry of the third one.
    sides.queue.removeFirst(2)
    sides.deliver()
    #expect(sides.replica.waiting == [] && sides.faults == [] && sides.played.sketch == "main[home, list]" && sides.repaints == 0)
    #expect(sides.replica.drop(1) == ReplicaUpdate())
  }

  @Test func `a prediction that holds is confirmed without a change`() throws {
    var sides = try TwoSides(try Drive(app: "delivery").reducer.definition)
    for restaurant in 1...3 { sides.act(.step(Step("restaurantPicked", params: ["restaurantId": .integer(restaurant)]), from: nil)) }
    sides.act(.pop(count: 1, node: nil))
    let views = sides.views
    while !sides.queue.isEmpty { sides.deliver() }
    #expect(sides.faults == [])
    #expect(sides.repaints == 0)
    #expect(sides.views == views)
  }
}
