import CairnCore
import CairnTesting
import Foundation
import Testing

/// A service with one session, and a client that has a replica of it. The client's posts wait in a queue, as on a slow network.
private struct TwoSides {
  /// A node by the client's action that creates it.
  struct Place: Hashable {
    var action: WideInt
    var node: Int
  }

  let reducer: Reducer
  var service: State
  var replica: Replica
  /// The client's tree, kept up to date with the changes that the replica gives.
  var played: Tree
  /// The view of each node: it stays when the node gets a new id, and is new when a change brings the node.
  var views: [NodeID: Int] = [:]
  var nextView = 0
  /// The posts that have not reached the service, with the places of the predicted nodes that they name.
  var queue: [(number: WideInt, action: Action, named: [NodeID: Place])] = []
  /// The nodes that the client's actions have created in the service.
  var created: [Place: NodeID] = [:]
  var number: WideInt = 0
  var time: WideInt = 1_000
  var faults: [String] = []
  /// The changes that confirmations caused, and the views that were lost by the confirmation of a prediction that held.
  var repaints = 0
  var confirmations = 0
  var predicted = 0

  init(_ definition: Definition, isManual: Bool = true) throws {
    reducer = Reducer(definition)
    service = try reducer.create(Creation(manualClock: isManual), stamp: Stamp(time: 1_000, nonce: "start")).state
    let travelled = try DefinitionFormat.read(DefinitionFormat.bytes(definition))
    replica = try Replica(travelled, state: ReplicaFormat.state(service, by: reducer))
    played = replica.tree
    if played != reducer.tree(of: service) { faults.append("the replica begins with another tree") }
    mount()
  }

  /// The client acts. Its tree changes at once if it can.
  mutating func act(_ action: Action) {
    number += 1
    var named: [NodeID: Place] = [:]
    for id in played.all.map(\.id) {
      if let origin = replica.origin(of: id) { named[id] = Place(action: origin.number, node: origin.place) }
    }
    if case .shown(let changes, _) = replica.predict(action, number: number, at: time + 3_600_000) {
      play(changes, "the prediction of \(action)")
      predicted += 1
    }
    queue.append((number, action, named))
  }

  /// The first waiting post reaches the service, and its answer the client. A node that was never created is one that was never given out.
  mutating func deliver() {
    guard !queue.isEmpty else { return }
    let (number, action, named) = queue.removeFirst()
    let before = service
    do throws(Refusal) {
      let known = named.mapValues { created[$0] ?? NodeID(1_000_000) }
      let transition = try reducer.reduce(&service, action.naming(known), stamp: stamp())
      for (place, id) in (before.nextNode..<service.nextNode).enumerated() { created[Place(action: number, node: place)] = NodeID(id) }
      if transition.outcome == .unchanged { return update(replica.drop(number), "an unchanged action") }
      confirm(from: before, number: number)
    } catch {
      update(replica.drop(number), "a refused action")
    }
  }

  /// Another client or a timer acts.
  mutating func intrude(_ action: Action) {
    let before = service
    guard let transition = try? reducer.reduce(&service, action, stamp: stamp()), transition.outcome != .unchanged else { return }
    confirm(from: before, number: nil)
  }

  mutating func advance(_ milliseconds: WideInt) {
    var steps: [(State, State)] = []
    var meter = Meter.idle
    _ = try? reducer.advance(&service, by: milliseconds, nonce: "tick", meter: &meter) { _, before, after in steps.append((before, after)) }
    for (before, after) in steps { confirm(from: before, to: after, number: nil) }
  }

  /// Entries are lost on the way to the client, which takes the whole state.
  mutating func lose(_ action: Action) {
    guard (try? reducer.reduce(&service, action, stamp: stamp())) != nil else { return }
    do {
      update(try replica.adopt(ReplicaFormat.state(service, by: reducer), through: 0), "a new state")
    } catch {
      faults.append("a new state: \(error)")
    }
  }

  private mutating func confirm(from before: State, to after: State? = nil, number: WideInt?) {
    do {
      let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: after ?? service), by: reducer)
      update(try replica.confirm(difference, number: number), number == nil ? "an entry" : "a confirmation")
    } catch {
      faults.append("a confirmation: \(error)")
    }
    confirmations += 1
    let expected = reducer.tree(of: after ?? service)
    let confirmedTree = json(reducer.tree(of: replica.confirmed))
    if confirmedTree != json(expected) { faults.append("the confirmed trees differ at revision \(replica.revision)") }
    if after == nil, replica.waiting.isEmpty, json(replica.tree) != json(expected) { faults.append("the trees differ") }
  }

  private func json(_ tree: Tree) -> [UInt8] {
    var writer = JSONWriter()
    tree.write(to: &writer)
    return (try? writer.bytes()) ?? []
  }

  private mutating func update(_ update: ReplicaUpdate, _ what: String) {
    played = played.renaming(update.renamed)
    views = Dictionary(uniqueKeysWithValues: views.map { (update.renamed[$0.key] ?? $0.key, $0.value) })
    let kept = Set(views.values)
    if !update.changes.isEmpty { repaints += 1 }
    play(update.changes, what)
    if update.changes.isEmpty, Set(views.values) != kept { faults.append("\(what) mounts a view again") }
  }

  private mutating func play(_ changes: [Change], _ what: String) {
    let before = played
    if !played.play(changes) || played.plain != replica.tree.plain {
      faults.append("\(what): \(changes) on \(before.sketch) gives \(played.sketch), not \(replica.tree.sketch)")
      played = replica.tree
    }
    mount()
  }

  private mutating func mount() {
    let ids = Set(played.all.map(\.id))
    views = views.filter { ids.contains($0.key) }
    for id in ids where views[id] == nil {
      nextView += 1
      views[id] = nextView
    }
  }

  private mutating func stamp() -> Stamp {
    time += 7
    return Stamp(time: service.manualTime ?? time, nonce: "nonce\(time)")
  }
}

extension Action {
  /// The action with the ids that the service has given to nodes.
  fileprivate func naming(_ known: [NodeID: NodeID]) -> Action {
    func new(_ id: NodeID) -> NodeID { known[id] ?? id }
    return switch self {
    case .step(let step, let from): .step(step, from: from.map(new))
    case .pop(let count, let node): .pop(count: count, node: node.map(new))
    case .popTo(.node(let node)): .popTo(.node(new(node)))
    case .dismiss(let node): .dismiss(node: node.map(new))
    case .select(let selection, let node): .select(selection, node: node.map(new))
    case .present(let route, let style, let node, let replace): .present(route, style: style, node: node.map(new), replace: replace)
    case .remove(let node): .remove(node: new(node))
    default: self
    }
  }
}

extension Tree {
  fileprivate var all: [Tree] { [self] + ((children ?? []) + [presented].compactMap { $0 } + (levels ?? [])).flatMap(\.all) }

  /// The tree without the content of nodes that have not loaded anything. Changes write it as idle, because it cannot be missing there.
  fileprivate var plain: Tree {
    var tree = self
    if content == Content(status: .idle) { tree.content = nil }
    tree.children = children?.map(\.plain)
    tree.presented = presented?.plain
    tree.levels = levels?.map(\.plain)
    return tree
  }

  /// The tree with new ids of some nodes.
  fileprivate func renaming(_ renamed: [NodeID: NodeID]) -> Tree {
    guard !renamed.isEmpty else { return self }
    var tree = self
    tree.id = renamed[id] ?? id
    tree.on = on.map { renamed[$0] ?? $0 }
    tree.children = children?.map { $0.renaming(renamed) }
    tree.presented = presented?.renaming(renamed)
    tree.levels = levels?.map { $0.renaming(renamed) }
    return tree
  }
}

@Suite struct `A replica in a client` {
  /// Random actions on random definitions, among timers, other clients and lost entries. The variable `CAIRN_REPLICA_ACTIONS` is their number, about
  /// 29,000 without it. The client's clock is an hour off.
  @Test(arguments: 0..<8) func `shows the service's tree when all is confirmed, whatever came between`(block: Int) throws {
    var (actions, predicted) = (0, 0)
    let wanted = ProcessInfo.processInfo.environment["CAIRN_REPLICA_ACTIONS"].flatMap { Int($0) } ?? 28_800
    let count = max(1, wanted / (8 * 60))
    for seed in (block * count)..<(block * count + count) {
      let definition = RandomDefinition.make(seed: UInt64(seed), isOdd: seed % 3 == 0)
      guard var sides = try? TwoSides(definition, isManual: seed % 2 == 0) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 104_729 &+ 3)
      for _ in 0..<60 where sides.service.nodes.count < 80 {
        switch chance.below(12) {
        case 0..<6: sides.act(RandomAction.make(&chance, for: sides.replica.shown, isOdd: seed % 3 == 0))
        case 6..<9: sides.deliver()
        case 9: sides.intrude(RandomAction.make(&chance, for: sides.service))
        case 10: sides.advance(WideInt(chance.below(3_000)))
        default: if chance.isHeads(oneIn: 4) { sides.lose(RandomAction.make(&chance, for: sides.service)) }
        }
      }
      while !sides.queue.isEmpty { sides.deliver() }
      predicted += sides.predicted
      actions += sides.confirmations
      try #require(sides.faults == [], "seed \(seed): \(sides.faults.first ?? "")")
      #expect(sides.replica.waiting == [])
      #expect(sides.replica.tree == sides.reducer.tree(of: sides.service), "seed \(seed)")
    }
    #expect(predicted > 2 * count && actions > 5 * count, "\(actions) entries, \(predicted) predictions")
  }

  @Test func `an action with a secret is not predicted, and a fact that clients do not see is not in the replica`() throws {
    var sides = try TwoSides(
      Drive(
        """
        app: a
        root: { flow: main }
        facts: { plan: { type: string, default: hidden-plan, env: PLAN } }
        screens: { home: {}, safe: { params: { pin: { type: string, secret: true } } } }
        steps: { enter: { pin: { type: string, secret: true } }, ask: {} }
        flows:
          main:
            container: stack
            root: home
            handle:
              enter: { push: safe, with: { pin: $pin } }
              ask: { when: { fact: plan, equals: other }, do: { push: home } }
        """
      ).reducer.definition)
    let state = String(decoding: try ReplicaFormat.state(sides.service, by: sides.reducer), as: UTF8.self)
    #expect(!state.contains("hidden-plan"))
    #expect(sides.replica.predict(.step(Step("enter", params: ["pin": "1234"]), from: nil), number: 1, at: 0) == .unpredictable)
    _ = sides.replica.drop(1)
    #expect(sides.replica.predict(.step(Step("ask"), from: nil), number: 2, at: 0) == .unpredictable)
    _ = sides.replica.drop(2)
    #expect(sides.replica.predict(.step(Step("enter", params: ["pin": 1]), from: nil), number: 3, at: 0) == .unchanged(reason: "invalid"))
    #expect(sides.replica.waiting == [3])
    #expect(sides.replica.tree == sides.reducer.tree(of: sides.service))
  }

  /// An app with a step that no client predicts, because it has a secret.
  private static let safe = """
    app: safe
    root: { flow: main }
    screens: { home: {}, list: {}, safe: { params: { pin: { type: string, secret: true } } } }
    steps: { enter: { pin: { type: string, secret: true } }, show: {} }
    flows:
      main:
        container: stack
        root: home
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
    // The service refuses the step: what waited behind it is shown, and the gesture after it.
    var other = replica
    let update = replica.drop(2)
    #expect(replica.tree.sketch == "main[home, list, list]" && !update.changes.isEmpty)
    #expect(replica.waiting == [1, 3, 4, 5])
    // The client waits no longer. A step after it does not wait either.
    _ = other.proceed()
    #expect(other.tree.sketch == "main[home, list, list]" && other.waiting == [1, 2, 3, 4, 5])
    #expect(other.predict(show, number: 6, at: 0) != .waiting && other.tree.sketch == "main[home, list, list, list]")
    #expect(other.proceed() == ReplicaUpdate())
  }

  @Test(arguments: ["delivery", "qiita", "shop"]) func `a session that begins in the client is the one that the service creates`(
    app: String
  ) throws {
    let definition = try Drive(app: app).reducer.definition
    let reducer = Reducer(definition)
    let service = try reducer.create(Creation(), stamp: Stamp(time: 5_000, nonce: "n")).state
    var replica = try Replica(try DefinitionFormat.read(DefinitionFormat.bytes(definition)), startingAt: 1_000)
    #expect(replica.tree == reducer.tree(of: service) && replica.revision == 1 && replica.waiting == [])
    // Its first actions stay pending until the service has created it.
    _ = replica.predict(.back, number: 1, at: 1_000)
    #expect(try replica.adopt(ReplicaFormat.state(service, by: reducer), through: 0) == ReplicaUpdate())
    #expect(replica.waiting == [1])
  }

  @Test func `an app that begins by a hidden value cannot begin in the client`() throws {
    let definition = try Drive(
      """
      app: a
      root: { flow: main, start: begin }
      facts: { plan: { type: string, env: PLAN } }
      screens: { home: {}, other: {} }
      steps: { begin: { internal: true } }
      flows:
        main:
          container: stack
          handle: { begin: [{ when: { fact: plan, equals: new }, do: { push: other } }, { do: { push: home } }] }
      """
    ).reducer.definition
    #expect(throws: UnreadableFormat(reason: "the beginning of the app depends on values of the service")) {
      try Replica(DefinitionFormat.read(DefinitionFormat.bytes(definition)), startingAt: 0)
    }
  }

  @Test func `a prediction that holds is confirmed without a change`() throws {
    var sides = try TwoSides(try Drive(app: "delivery").reducer.definition)
    for restaurant in 1...3 { sides.act(.step(Step("restaurantIsPicked", params: ["restaurantId": .integer(restaurant)]), from: nil)) }
    sides.act(.pop(count: 1, node: nil))
    let views = sides.views
    while !sides.queue.isEmpty { sides.deliver() }
    #expect(sides.faults == [])
    #expect(sides.repaints == 0)
    #expect(sides.views == views)
  }
}
