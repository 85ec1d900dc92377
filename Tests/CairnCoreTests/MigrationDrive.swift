import CairnCore
import CairnDefinition
import CairnRuntime
import CairnTesting

/// Drives a session that moves between definitions and goes back to earlier states, and checks the invariants of the engine after every transition.
struct MigrationDrive {
  private(set) var reducer: Reducer
  private(set) var state: State
  private(set) var last: Transition
  /// The reason of the last refusal or obstacle; `nil` if there was none.
  private(set) var reason: String?
  /// The violated invariants. A test expects none.
  private(set) var broken: [String] = []
  private var time = 1_000
  private var issuedNodes: Set<NodeID>
  private var issuedEffects: Set<Effect.ID>

  /// An earlier state of a session with its definition, for an undo.
  struct Past {
    var reducer: Reducer
    var state: State
    var tree: Tree { reducer.tree(of: state) }
  }

  init(_ yaml: String, creation: Creation = Creation(manualClock: true)) throws {
    try self.init(Self.definition(yaml), creation: creation)
  }

  init(_ definition: Definition, creation: Creation = Creation(manualClock: true)) throws {
    reducer = Reducer(definition, zones: ZoneFiles.content)
    (state, last) = try reducer.create(creation, stamp: Stamp(time: time, nonce: "start"))
    issuedNodes = Set(state.nodes.keys)
    issuedEffects = Set(state.effects.map(\.id))
  }

  static func definition(_ yaml: String) throws -> Definition {
    do {
      return try DefinitionLoader.load(file: "test.yaml", text: yaml).definition
    } catch {
      throw Unreadable(text: error.diagnostics.map { "\($0.line): \($0.message)" }.joined(separator: "\n"))
    }
  }

  struct Unreadable: Error {
    var text: String
  }

  var tree: Tree { reducer.tree(of: state) }
  var sketch: String { tree.sketch }
  var past: Past { Past(reducer: reducer, state: state) }
  /// The names of the changes.
  var changes: [String] { last.changes.map(\.name) }
  /// The events of steps as `flow step`, and those of dropped steps with their reason.
  var steps: [String] {
    last.events.compactMap { event in
      switch event.type {
      case .willNavigate: "\(event.flow ?? "") \(event.step ?? "")"
      case .dropped: "dropped \(event.step ?? ""): \(event.reason ?? "")"
      default: nil
      }
    }
  }

  /// The id of the newest node with this name; 0 if there is none.
  func id(_ name: String) -> NodeID { state.nodes.values.filter { $0.name == name }.map(\.id).max() ?? NodeID(0) }

  /// The newest node with this name.
  func node(_ name: String) -> Node? { state.nodes[id(name)] }

  mutating func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil) {
    run(.step(Step(name, params: params), from: from))
  }

  mutating func run(_ action: Action) {
    let (before, stamp) = (past, stamp())
    do {
      last = try reducer.reduce(&state, action, stamp: stamp)
      reason = nil
      check(from: before)
      checkNeed(from: before)
    } catch {
      refuse(error.code.rawValue, before)
    }
  }

  mutating func advance(_ milliseconds: Int) {
    let before = past
    time += 1
    do {
      last = try reducer.advance(&state, by: milliseconds, nonce: "nonce\(time)").transition
      reason = nil
      check(from: before)
    } catch {
      refuse(error.code.rawValue, before)
    }
  }

  /// Moves the session to another definition. Runs the migration twice, because the result must be the same each time.
  mutating func migrate(to yaml: String, _ migration: Migration = Migration(), environment: [String: String] = [:]) throws {
    migrate(to: Reducer(try Self.definition(yaml)), by: migration, environment: environment)
  }

  mutating func migrate(to new: Reducer, by migration: Migration, environment: [String: String] = [:]) {
    let (before, stamp) = (past, stamp())
    let migrator = Migrator(from: reducer, to: new, by: migration)
    var again = state
    let twin = Result { () throws(MigrationObstacle) in
      var meter = Meter.idle
      return try migrator.migrate(&again, environment: environment, stamp: stamp, meter: &meter)
    }
    do {
      var meter = Meter.idle
      last = try migrator.migrate(&state, environment: environment, stamp: stamp, meter: &meter)
      (reason, reducer) = (nil, new)
      if twin != .success(last) || again != state { broken.append("a second migration gives another result") }
      if state.revision != before.state.revision + 1 { broken.append("the revision is \(state.revision)") }
      check(from: before)
    } catch {
      if twin != .failure(error) { broken.append("a second migration fails in another way") }
      refuse(error.reason, before)
    }
  }

  /// Moves the session through several definitions at once.
  mutating func migrate(by chain: MigrationChain, to new: Reducer) {
    let (before, stamp) = (past, stamp())
    do {
      last = try chain.migrate(&state, stamp: stamp)
      (reason, reducer) = (nil, new)
      if state.revision != before.state.revision + 1 { broken.append("the revision is \(state.revision)") }
      check(from: before)
    } catch {
      refuse(error.reason, before)
    }
  }

  private static func isStartedByUndo(_ effect: Effect) -> Bool { effect.closes || effect.isMoment || effect.isInactivity }

  /// Returns the session to an earlier state by an undo. Runs the undo twice, because the result must be the same each time.
  mutating func undo(to past: Past) {
    let (before, stamp) = (self.past, stamp())
    var again = state
    let twin = past.reducer.restore(past.state, in: &again, of: reducer, stamp: stamp)
    last = past.reducer.restore(past.state, in: &state, of: reducer, stamp: stamp)
    (reason, reducer) = (nil, past.reducer)
    if twin != last || again != state { broken.append("a second undo gives another result") }
    if state.revision != before.state.revision + 1 { broken.append("the revision is \(state.revision)") }
    // An undo starts the timeout of a restored overlay and the timers that count the time without an action. Timers that are due at a moment keep this moment.
    let started = last.started.filter { !Self.isStartedByUndo($0) }
    if !started.isEmpty { broken.append("an undo starts \(started)") }
    let running = Set(before.state.effects)
    // The timer of an overlay also pauses and resumes with the nodes above the overlay.
    broken += state.effects.filter { !running.contains($0) && !Self.isStartedByUndo($0) }.map { "the effect \($0.id) runs again" }
    issuedNodes.formUnion(past.state.nodes.keys)
    check(from: before)
  }

  private mutating func stamp() -> Stamp {
    time += 1
    return Stamp(time: state.manualTime ?? time, nonce: "nonce\(time)")
  }

  private mutating func refuse(_ reason: String, _ before: Past) {
    self.reason = reason
    last = Transition(outcome: .unchanged)
    if state != before.state { broken.append("a refusal left a trace: \(reason)") }
  }

  private mutating func check(from before: Past) {
    let (old, new) = (before.tree, tree)
    var played = old
    if !played.play(last.changes) || played != new {
      broken.append("changes \(last.changes) on \(old.sketch) give \(played.sketch), not \(new.sketch)")
    }
    do {
      var client = try WireClient(old)
      for change in last.changes {
        // A change that replaces the root replaces the whole tree, so a new client begins with it.
        if case .replace(before.state.root, let node) = change { client = try WireClient(node) } else { try client.play(change) }
      }
      if try client.tree != WireClient.read(new) { broken.append("a client comes to another tree than \(new.sketch)") }
    } catch {
      broken.append("a client cannot play \(last.changes) on \(old.sketch): \(error)")
    }
    broken += state.faults
    broken += state.nodes.values.flatMap { strangeNames(of: $0) }
    broken += state.listeners.filter { reducer.definition.screens[$0.screen] == nil }.map { "\($0.screen) is listened to, and unknown" }
    if NodeDifference(from: before.state.nodes, to: state.nodes) != difference(from: before.state) {
      broken.append("the stored difference is wrong")
    }
    let nodes = Set(state.nodes.keys).subtracting(before.state.nodes.keys)
    let isUndo = nodes.isSubset(of: issuedNodes) && nodes.allSatisfy { $0.number < before.state.nextNode }
    if !nodes.isDisjoint(with: issuedNodes), !isUndo { broken.append("an id was used again") }
    issuedNodes.formUnion(nodes)
    if nodes.contains(where: { $0.number >= state.nextNode }) { broken.append("an id will be used again") }
    let started = Set(state.effects.map(\.id)).subtracting(before.state.effects.map(\.id))
    if !started.isDisjoint(with: issuedEffects) { broken.append("the id of an effect was used again") }
    issuedEffects.formUnion(started)
    if last.cancelled != before.state.effects.map(\.id).filter({ id in !state.effects.contains { $0.id == id } }) {
      broken.append("the transition has cancelled \(last.cancelled)")
    }
    if last.outcome == .unchanged, state != before.state { broken.append("unchanged changed the state") }
    if last.outcome != .unchanged, state.revision <= before.state.revision { broken.append("no new revision") }
  }

  /// Checks that no change of an action can be omitted. Skips actions with more than eight changes.
  private mutating func checkNeed(from before: Past) {
    let (old, changes) = (before.tree, last.changes)
    for index in changes.indices where changes.count <= 8 {
      var (played, others) = (old, changes)
      others.remove(at: index)
      if played.play(others), played == tree { broken.append("the change \(changes[index]) is not needed") }
    }
  }

  /// The difference that the journal stores, computed from whole nodes.
  private func difference(from before: State) -> NodeDifference {
    let (old, new) = (before.nodes, state.nodes)
    return NodeDifference(
      added: new.keys.filter { old[$0] == nil }.sorted(), removed: old.keys.filter { new[$0] == nil }.sorted(),
      changed: new.keys.filter { id in old[id].map { $0 != new[id] } ?? false }.sorted())
  }

  /// The faults of a node: a flow or screen that the definition does not have, or a container that differs from that of the node's flow.
  private func strangeNames(of node: Node) -> [String] {
    let definition = reducer.definition
    if let flow = node.flow {
      guard let known = definition.flows[flow] else { return ["\(node.id) is of the flow \(flow), which is unknown"] }
      if known.container != node.kind, !(node.isCollapsed && known.container == .split) {
        return ["\(node.id) is a \(node.kind), and its flow \(flow) a \(known.container)"]
      }
    }
    return node.isLeaf && definition.screens[node.name] == nil ? ["\(node.id) is the screen \(node.name), which is unknown"] : []
  }
}
