// Making nodes: the only way into the tree.
extension Run {
  /// Makes the node of a contribution and what it is born with; its parent does not know it yet. Start steps are collected.
  mutating func make(_ mold: Mold, owner: NodeID?, parent: NodeID?, scope: Scope) throws(Refusal) -> NodeID {
    try checkRoom(below: parent)
    try meter.write(State.itemSize)
    let owner = owner.map { contributor(for: $0) }
    let id = newNode()
    let evaluator = evaluator(for: mold, of: id)
    switch mold.target {
    case .missing(let name): throw Refusal(.flowGone, "there is no flow \(name)")
    case .screen(let name):
      var record = NodeRecord(id: id, kind: .screen, name: name, owner: owner, parent: parent)
      record.listen = mold.listen
      record.isGuarded = mold.leave != nil
      let given = evaluator.values(of: mold.with, in: scope, state)
      try enter(record, mold, params: try params(given, of: record), evaluator, scope: scope)
    case .flow(let name):
      guard let flow = program.flows[Int(name)] else { throw Refusal(.flowGone, "there is no flow \(program.names.texts[Int(name)])") }
      var record = NodeRecord(id: id, kind: flow.kind, name: name, flow: name, owner: owner, parent: parent)
      record.listen = mold.listen
      record.isGuarded = mold.leave != nil
      try enter(record, mold, params: evaluator.values(of: mold.with, in: scope, state), evaluator, scope: scope)
      for start in mold.start {
        try send(start, as: .start, by: id, emitter: nil, otherwise: id, scope: scope)
      }
      if let broadcast = turns.broadcast {
        turns.follow(.start, Turns.Item(intent: broadcast, receiver: .flow(id), isBroadcast: true))
      }
      try bear(flow, as: id)
    }
    return id
  }

  /// What works out a node's params and content. The page of a login has an OAuth state of its own, also where an action makes
  /// several: the second one's is told apart by its id.
  private func evaluator(for mold: Mold, of id: NodeID) -> Evaluator {
    guard mold.carriesAuthorizeURL, state.nodes.carries(authorization: stamp.nonce) else { return evaluator }
    return Evaluator(program: program, stamp: Stamp(time: stamp.time, nonce: "\(stamp.nonce)-\(id)"))
  }

  /// An id that was never given out.
  mutating func newNode() -> NodeID {
    let id = NodeID(state.nextNode)
    state.nextNode += 1
    return id
  }

  /// What a screen is given must be what it declares.
  private func params(_ given: [String: Value], of record: NodeRecord) throws(Refusal) -> [String: Value] {
    guard let contract = program.screen(of: record)?.params, let params = contract.checked(given) else {
      let screen = state.nodes.name(of: record)
      let fault = ParameterDefinition.check(given, against: definition.screens[screen]?.params ?? [:]).faults
      guard let first = fault.first else { return given }
      throw Refusal(.valueMismatch, "the param \(first.name) of the screen \(screen) \(first.fault)")
    }
    return params
  }

  /// The params that a node of a mold would have, were it what a record is: those of a `screen` flow are its screen's.
  func params(of mold: Mold, as record: NodeRecord, scope: Scope) throws(Refusal) -> [String: Value] {
    let given = evaluator.values(of: mold.with, in: scope, state)
    guard record.isFlow else { return try params(given, of: record) }
    guard let flow = program.flow(of: record), flow.kind == .screen, case .root(let root) = flow.birth else { return given }
    let own = evaluator.values(of: root.with, in: Scope(params: given), state)
    return try params(own.updated(with: given), of: record)
  }

  /// Puts a new node into the table, with its params, its content and its effects.
  private mutating func enter(
    _ record: NodeRecord, _ mold: Mold, params: [String: Value], _ evaluator: Evaluator, scope: Scope
  ) throws(Refusal) {
    let left = evaluator.partialLeft(mold.left, in: scope, state)
    let asker = asker(of: mold, for: record.ownerID, in: scope)
    let details = NodeDetails(
      params: params, content: content(mold.content, evaluator, in: scope), left: left,
      leave: evaluator.partial(leave: mold.leave, in: scope, state),
      authorization: mold.carriesAuthorizeURL ? evaluator.stamp.nonce : nil, asker: asker)
    try charge(details, of: record)
    state.nodes.append(record, details: details.isEmpty ? nil : details)
    if let load = mold.load { try startLoad(load, of: record.nodeID, scope: scope) }
    for timer in mold.after { try startTimer(timer, of: record.nodeID, scope: scope) }
  }

  private mutating func charge(_ details: NodeDetails, of record: NodeRecord) throws(Refusal) {
    guard meter.isCounting, !details.isEmpty else { return }
    try meter.write(details.params, as: "the params of", state.nodes.name(of: record))
    if let value = details.content?.value { try meter.write(value, as: "the content of", state.nodes.name(of: record)) }
    if let left = details.left { try meter.write(left.size) }
    if let leave = details.leave?.step { try meter.write(leave.size) }
    if let asker = details.asker { try meter.write(asker.size) }
  }

  /// The content that a node is born with; nil: none.
  private func content(_ expression: Expression?, _ evaluator: Evaluator, in scope: Scope) -> Content? {
    expression.map { Content(status: .loaded, value: evaluator.value(of: $0, in: scope, state) ?? .null) }
  }

  /// What a flow is born with.
  private mutating func bear(_ flow: Program.Flow, as id: NodeID) throws(Refusal) {
    switch flow.birth {
    case .empty: break
    case .root(let root):
      if flow.kind == .screen, case .screen(let screen) = root.target {
        try furnishRoot(id, screen, root)
      } else {
        try append(root, to: id, owner: id, scope: Scope())
      }
    case .tabs(let tabs): try fill(id, with: tabs, owner: id, scope: Scope())
    case .split(let master, let detail): try bearSplit(id, flow, master: master, detail: detail)
    }
  }

  /// A `screen` flow is its root screen: what the push said of the node (params, listening, left) stays beside what the root says.
  private mutating func furnishRoot(_ id: NodeID, _ screen: Int32, _ root: Mold) throws(Refusal) {
    let pushed = state.nodes.details(of: id)
    var scope = Scope()
    scope.params = pushed.params
    state.nodes.update(id) {
      $0.name = screen
      if root.listen.hidden { $0.listen.hidden = true }
      if root.listen.dismissed { $0.listen.dismissed = true }
      if root.leave != nil { $0.isGuarded = true }
    }
    guard let record = state.nodes.record(id) else { return }
    let evaluator =
      pushed.authorization.map { Evaluator(program: program, stamp: Stamp(time: stamp.time, nonce: $0)) }
      ?? evaluator(for: root, of: id)
    let given = evaluator.values(of: root.with, in: scope, state).updated(with: scope.params)
    let details = NodeDetails(
      params: try params(given, of: record), content: pushed.content ?? content(root.content, evaluator, in: scope), left: pushed.left,
      leave: pushed.leave ?? evaluator.partial(leave: root.leave, in: scope, state),
      authorization: pushed.authorization ?? (root.carriesAuthorizeURL ? evaluator.stamp.nonce : nil), asker: pushed.asker)
    try charge(details, of: record)
    state.nodes.setDetails(details, of: id)
    if let load = root.load { try startLoad(load, of: id, scope: scope) }
    for timer in root.after { try startTimer(timer, of: id, scope: scope) }
  }
}
