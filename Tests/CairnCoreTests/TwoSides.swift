import CairnCore
import CairnTesting

/// A service with one session, and a client that has a replica of it. The client's posts wait in a queue, as on a slow network.
struct TwoSides {
  /// Identifies a node by the client's action that creates it.
  struct Place: Hashable {
    var action: WideInt
    var node: Int
  }

  /// A post on its way to the service.
  struct Post {
    var number: WideInt
    var action: Action
    /// The places of the predicted nodes that the action names.
    var named: [NodeID: Place]
    /// The definition for which the action was made.
    var version: Int
    /// The revision that the client showed at the action; `nil` if the client predicted nothing.
    var seen: Int?
    /// The time of the action by the client's clock, which is an hour fast.
    var at: WideInt
  }

  /// The session's definitions in order, each with the migration that led to it. An undo leads to a definition without a migration.
  private var versions: [(reducer: Reducer, migrator: Migrator?)]
  /// The session's states, each with the index of its definition.
  private var pasts: [(state: State, version: Int)] = []
  /// The state of each entry of the session, in order, and whether an action of the client created the entry.
  private var history: [(state: State, isOwn: Bool)] = []
  var service: State
  var replica: Replica
  /// A second replica, which receives the outstanding reports of the service together in `catchUp`.
  private var together: Replica
  private var reports: [ServiceReport] = []
  /// Whether the client predicts nothing: the session has moved to another definition, and some posts have no response yet.
  private(set) var isPaused = false
  /// The client's tree, updated only with the changes that the replica returns.
  var played: Tree
  /// The number of each node's view. A node keeps its view when its id changes; a change that adds the node creates a new view.
  var views: [NodeID: Int] = [:]
  var nextView = 0
  /// The posts that have not reached the service, oldest first.
  var queue: [Post] = []
  /// The nodes that the client's actions have created in the service, by their places.
  var created: [Place: NodeID] = [:]
  var number: WideInt = 0
  /// The number of the newest post that has reached the service.
  private var delivered: WideInt = 0
  var time: WideInt = 1_000
  var faults: [String] = []
  /// The number of changes caused by confirmations, and of views that were lost although the prediction was right.
  var repaints = 0
  var confirmations = 0
  var predicted = 0
  var moves = 0
  var drains = 0
  /// Whether the client has lost entries, and read a whole state instead, since its queue was last empty.
  private(set) var hasLostEntries = false

  var reducer: Reducer { versions[versions.count - 1].reducer }
  private var version: Int { versions.count - 1 }
  /// The state that the client shows.
  var shown: State { isPaused ? service : replica.shown }

  init(_ definition: Definition, isManual: Bool = true) throws {
    let reducer = Reducer(definition)
    versions = [(reducer, nil)]
    service = try reducer.create(Creation(manualClock: isManual), stamp: Stamp(time: 1_000, nonce: "start")).state
    history = [(service, false)]
    replica = try Self.replica(of: service, by: reducer)
    together = replica
    played = replica.tree
    if played != reducer.tree(of: service) { faults.append("the replica begins with another tree") }
    mount()
  }

  /// The replica that a client creates from a response.
  private static func replica(of state: State, by reducer: Reducer) throws -> Replica {
    let definition = try DefinitionFormat.read(DefinitionFormat.bytes(reducer.definition))
    return try Replica(definition, state: ReplicaFormat.state(state, by: reducer))
  }

  /// Runs an action of the client, which changes its tree at once if the replica predicts the action.
  mutating func act(_ action: Action) {
    number += 1
    var named: [NodeID: Place] = [:]
    let seen = isPaused ? nil : replica.revision
    let at = time + 3_600_000
    if !isPaused {
      for id in played.all.map(\.id) {
        if let origin = replica.origin(of: id) { named[id] = Place(action: origin.number, node: origin.place) }
      }
      catchUp()
      _ = together.predict(action, number: number, at: at)
      if case .shown(let changes, _, _) = replica.predict(action, number: number, at: at) {
        play(changes, "the prediction of \(action)")
        predicted += 1
      }
    }
    queue.append(Post(number: number, action: action, named: named, version: version, seen: seen, at: at))
  }

  /// Delivers the first waiting post to the service, and its response to the client. If the action names a node that the service has not created, the action
  /// runs with an id that no node has.
  mutating func deliver() {
    deliver { sides, number, before, what in
      if let what { sides.drop(number, what) } else { sides.confirm(from: before, number: number) }
    }
  }

  /// Runs the first waiting post in the service. Calls `hear` with the post's number, the state before the post, and the reason if no entry was created.
  private mutating func deliver(_ hear: (inout Self, WideInt, State, String?) -> Void) {
    guard !queue.isEmpty else { return }
    let post = queue.removeFirst()
    defer { if queue.isEmpty { hasLostEntries = false } }
    let before = service
    delivered = post.number
    do throws(Refusal) {
      let known = post.named.mapValues { created[$0] ?? NodeID(1_000_000) }
      guard let action = mapped(post.action.naming(known), from: post.version) else {
        return hear(&self, post.number, before, "an action without an equivalent")
      }
      var stamp = stamp()
      stamp.covers = covers(since: post.seen)
      if service.manualTime == nil {
        stamp.clientTime = ClientTime(post.at, sent: stamp.time + 3_600_000, arrival: stamp.time, earliest: 0)
      }
      let transition = try reducer.reduce(&service, action, stamp: stamp)
      record(isOwn: true)
      for (place, id) in (before.nextNode..<service.nextNode).enumerated() { created[Place(action: post.number, node: place)] = NodeID(id) }
      hear(&self, post.number, before, transition.outcome == .unchanged ? "an unchanged action" : nil)
    } catch {
      hear(&self, post.number, before, "a refused action")
    }
  }

  /// An action with the names of the current definition; `nil` if it has no equivalent there.
  private func mapped(_ action: Action, from version: Int) -> Action? {
    let way = versions[(version + 1)...].map(\.migrator)
    let migrators = way.compactMap { $0 }
    guard !way.isEmpty else { return action }
    guard migrators.count == way.count else { return nil }
    let command = try? MigrationChain(migrators).mapped(.action(action), in: service, stamp: Stamp(time: time, nonce: ""))
    guard case .action(let action)? = command else { return nil }
    return action
  }

  private mutating func drop(_ number: WideInt, _ what: String) {
    if isPaused { return follow() }
    reports.append(.dropped(number))
    update(replica.drop(number), what)
  }

  /// Delivers the outstanding reports to the second replica, which must then show the same state as the first one.
  mutating func catchUp() {
    do {
      _ = try together.take(reports)
    } catch {
      faults.append("\(reports.count) reports together: \(error)")
    }
    if together.shown != replica.shown || together.waiting != replica.waiting {
      faults.append("\(reports.count) reports together give \(together.tree.sketch), not \(replica.tree.sketch)")
    }
    reports = []
  }

  /// Runs an action of another client or of a timer in the service, and delivers its entry to the client.
  mutating func intrude(_ action: Action) {
    let before = service
    guard let transition = try? reducer.reduce(&service, action, stamp: stamp()), transition.outcome != .unchanged else { return }
    record()
    confirm(from: before, number: nil)
  }

  /// Records the state of the newest entry, if it is not recorded yet.
  private mutating func record(isOwn: Bool = false) {
    if history[history.count - 1].state.revision != service.revision { history.append((service, isOwn)) }
  }

  /// The nodes that other clients have put on top since a revision.
  private func covers(since seen: Int?) -> [Cover] {
    guard let seen else { return [] }
    var book = CoverBook()
    for (old, new) in zip(history, history.dropFirst()) where new.state.revision > seen {
      book.note(from: old.state, to: new.state, isOwn: new.isOwn)
    }
    return book.covers(since: seen)
  }

  mutating func advance(_ milliseconds: WideInt) {
    var steps: [(State, State)] = []
    var meter = Meter.idle
    _ = try? reducer.advance(&service, by: milliseconds, nonce: "tick", meter: &meter) { _, before, after in steps.append((before, after)) }
    for (before, after) in steps {
      history.append((after, false))
      confirm(from: before, to: after, number: nil)
    }
  }

  /// Moves the session to another definition, as an operator would, if the migration is possible.
  mutating func migrate(to definition: Definition, by migration: Migration) {
    note()
    let new = Reducer(definition)
    let migrator = Migrator(from: reducer, to: new, by: migration)
    guard (try? migrator.migrate(&service, stamp: stamp())) != nil else { return }
    record()
    versions.append((new, migrator))
    move()
  }

  /// Returns the session to a random earlier state, as an operator would. The state may have another definition.
  mutating func undo(_ chance: inout Chance) {
    guard !pasts.isEmpty else { return note() }
    let past = chance.pick(pasts)
    note()
    let (before, old) = (service, versions[past.version].reducer)
    _ = old.restore(past.state, in: &service, of: reducer, stamp: stamp())
    record()
    if past.version == version { return confirm(from: before, number: nil) }
    versions.append((old, nil))
    move()
  }

  /// Records the current state, so that an undo can restore it.
  private mutating func note() {
    pasts.append((service, version))
    if pasts.count > 8 { pasts.removeFirst() }
  }

  private mutating func move() {
    moves += 1
    isPaused = true
    follow()
  }

  /// Shows the service's tree. Predictions begin again once all posts have a response.
  private mutating func follow() {
    played = reducer.tree(of: service)
    mount()
    guard queue.isEmpty else { return }
    do {
      replica = try Self.replica(of: service, by: reducer)
      (together, reports) = (replica, [])
      isPaused = false
      if json(replica.tree) != json(played) { faults.append("the replica of another definition begins with another tree") }
    } catch {
      faults.append("another definition: \(error)")
    }
  }

  /// Delivers a number of posts, whose responses are lost, and runs an action of another client, whose entry is lost. The client then reads the whole state.
  mutating func lose(answers: Int, _ action: Action?) {
    guard !isPaused else { return }
    hasLostEntries = true
    for _ in 0..<answers { deliver { _, _, _, _ in } }
    if let action { _ = try? reducer.reduce(&service, action, stamp: stamp()) }
    record()
    do {
      let (shown, expected) = (played, identified)
      catchUp()
      let state = try ReplicaFormat.state(service, by: reducer)
      _ = try together.adopt(state, through: delivered)
      let read = try replica.adopt(state, through: delivered)
      // A change that only updates a node does not mount its view again.
      let isKept = read.changes.allSatisfy { if case .update = $0 { true } else { false } }
      if expected == identified, !isKept {
        faults.append("a new state mounts a view of \(shown.sketch) again: \(read.renamed), \(read.changes)")
      }
      update(read, "a new state")
    } catch {
      faults.append("a new state: \(error)")
    }
  }

  /// The shown tree with comparable ids. A node of a pending action has an id that identifies the action and the node. A node of an action that has reached the
  /// service has the service's id.
  private var identified: Tree {
    var ids: [NodeID: NodeID] = [:]
    for id in replica.tree.all.map(\.id) {
      guard let (number, place) = replica.origin(of: id) else { continue }
      ids[id] = number > delivered ? NodeID(1_000_000 + number * 1_000 + WideInt(place)) : created[Place(action: number, node: place)]
    }
    return replica.tree.plain.renaming(ids)
  }

  private mutating func confirm(from before: State, to after: State? = nil, number: WideInt?) {
    confirmations += 1
    if isPaused { return follow() }
    do {
      let difference = try ReplicaFormat.difference(StateFormat.difference(from: before, to: after ?? service), by: reducer)
      reports.append(.entry(difference, number: number))
      update(try replica.confirm(difference, number: number), number == nil ? "an entry" : "a confirmation")
    } catch {
      faults.append("a confirmation: \(error)")
    }
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
  /// The action with the ids that the service has assigned to nodes.
  fileprivate func naming(_ known: [NodeID: NodeID]) -> Action {
    func new(_ id: NodeID) -> NodeID { known[id] ?? id }
    return switch self {
    case .step(let step, let from): .step(step, from: from.map(new))
    case .gesture(let gesture, let from): .gesture(gesture.mappingNodes(new), from: from.map(new))
    case .present(let route, let style, let node, let replace): .present(route, style: style, node: node.map(new), replace: replace)
    case .remove(let node): .remove(node: new(node))
    default: self
    }
  }
}

extension Tree {
  fileprivate var all: [Tree] {
    [self] + below.flatMap(\.all)
  }

  /// The tree without the content of nodes that have loaded nothing. Changes write such content as idle, because they cannot omit it.
  fileprivate var plain: Tree {
    var tree = self
    if content == Content(status: .idle) { tree.content = nil }
    tree.children = children?.map(\.plain)
    tree.presented = presented?.plain
    tree.levels = levels?.map(\.plain)
    tree.overlays = overlays?.map(\.plain)
    return tree
  }

  /// The tree with new ids of some nodes.
  func renaming(_ renamed: [NodeID: NodeID]) -> Tree {
    guard !renamed.isEmpty else { return self }
    var tree = self
    tree.id = renamed[id] ?? id
    tree.on = on.map { renamed[$0] ?? $0 }
    tree.order = order.map { Int((renamed[NodeID(WideInt($0))] ?? NodeID(WideInt($0))).number) }
    tree.children = children?.map { $0.renaming(renamed) }
    tree.presented = presented?.renaming(renamed)
    tree.levels = levels?.map { $0.renaming(renamed) }
    tree.overlays = overlays?.map { $0.renaming(renamed) }
    return tree
  }
}
