/// Creates the nodes of screens and flows. Only the pane of a split's master is created elsewhere (`Collapsing.makePane`).
enum Making {
  /// Creates the node of a template with its initial children, and queues its start steps. Throws if a param or fact is invalid, or if a bound is exceeded. The
  /// caller adds the node to its parent.
  static func make(_ run: inout Run, _ template: NodeTemplate, owner: NodeID?, parent: NodeID?, scope: Scope) throws(Refusal) -> NodeID {
    try Limits.checkRoom(&run, below: parent)
    try run.meter.write(State.itemSize)
    let owner = owner.map { Flows.contributor(run, for: $0) }
    let id = newNode(&run)
    let evaluator = evaluator(run, for: template, of: id)
    switch template.target {
    case .missing(let name): throw Refusal(.flowGone, "the definition has no flow \(name)")
    case .screen(let name):
      var record = NodeRecord(id: id, kind: .screen, name: name, owner: owner, parent: parent)
      record.listen = template.listen
      record.isGuarded = template.leave != nil
      if template.isSealed { record.isSealed = true }
      let given = evaluator.values(of: template.with, in: scope, run.state)
      try enter(&run, record, template, params: try params(run, given, of: record), evaluator, scope: scope)
    case .flow(let name):
      guard let flow = run.program.flows[Int(name)] else {
        throw Refusal(.flowGone, "the definition has no flow \(run.program.names.texts[Int(name)])")
      }
      var record = NodeRecord(id: id, kind: flow.kind, name: name, flow: name, owner: owner, parent: parent)
      record.listen = template.listen
      record.isGuarded = template.leave != nil
      if template.isSealed { record.isSealed = true }
      let given = evaluator.values(of: template.with, in: scope, run.state)
      try enter(
        &run, record, template, params: try params(run, given, of: record, flow), facts: try facts(run, of: template, flow, scope: scope),
        evaluator, scope: scope)
      for start in template.start {
        try Sending.send(&run, start, as: .start, by: id, emitter: nil, otherwise: id, scope: scope)
      }
      if let broadcast = run.turns.broadcast {
        run.turns.follow(.start, TurnQueue.Item(intent: broadcast, receiver: .flow(id), isBroadcast: true))
      }
      try Children.create(&run, flow, as: id)
    }
    return id
  }

  /// The evaluator of a node's params and content. Each login page gets its own OAuth state. If an action creates several pages, the id of the
  /// node is appended to the nonce from the second page on.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  private static func evaluator(_ run: borrowing Run, for template: NodeTemplate, of id: NodeID) -> Evaluator {
    #if CLIENT_ENGINE
      return run.evaluator
    #else
      guard template.carriesAuthorizeURL, LoginPage(of: run.state, authorization: run.stamp.nonce) != nil else { return run.evaluator }
      return run.evaluator.with(nonce: LoginNonce(run.stamp.nonce).of(id).text)
    #endif
  }

  /// Assigns and returns the id of a new node. While a link is followed, the node counts as the one that the link opens.
  static func newNode(_ run: inout Run) -> NodeID {
    let id = NodeID(run.state.nextNode)
    run.state.nextNode += 1
    run.linked?.node = id
    return id
  }

  /// Checks a screen's params against its declaration. Returns them with defaults filled in. Throws `value-mismatch` for the first fault.
  private static func params(_ run: borrowing Run, _ given: [String: Value], of record: NodeRecord) throws(Refusal) -> [String: Value] {
    guard let contract = run.program.screen(of: record)?.params, let params = contract.checked(given) else {
      let screen = run.state.nodes.name(of: record)
      let fault = ParameterDefinition.check(given, against: run.definition.screens[screen]?.params ?? [:]).faults
      guard let first = fault.first else { return given }
      throw Refusal(.valueMismatch, "the param \(first.name) of the screen \(screen) \(first.fault)")
    }
    return params
  }

  /// Checks a flow's params against its declaration. Returns them with defaults filled in. Throws `value-mismatch` for the first fault. The params of a
  /// `screen` flow are checked when its screen is created.
  private static func params(
    _ run: borrowing Run, _ given: [String: Value], of record: NodeRecord, _ flow: Program.Flow
  ) throws(Refusal) -> [String: Value] {
    if flow.kind == .screen { return given }
    if let params = flow.params.checked(given) { return params }
    let fault = flow.params.faults(of: given).first ?? (name: "", fault: "does not fit")
    throw Refusal(.valueMismatch, "the param \(fault.name) of the flow \(flow.name) \(fault.fault)")
  }

  /// The facts with which a flow begins: the values of the template, and the defaults of the other facts. Throws `value-mismatch` if a value does not fit.
  private static func facts(
    _ run: borrowing Run, of template: NodeTemplate, _ flow: Program.Flow, scope: Scope
  ) throws(Refusal) -> [String: Value] {
    if template.facts.expressions.isEmpty { return flow.firstFacts }
    var facts = flow.firstFacts
    for (name, value) in run.evaluator.values(of: template.facts, in: scope, run.state) where value != .null {
      if let fault = flow.facts[name]?.fault(of: value) {
        throw Refusal(.valueMismatch, "the fact \(name) of the flow \(flow.name) \(fault)")
      }
      facts[name] = value
    }
    return facts
  }

  /// The params that a node of a template would have. A `screen` flow has the params of its screen.
  static func params(_ run: borrowing Run, of template: NodeTemplate, as record: NodeRecord, scope: Scope) throws(Refusal) -> [String:
    Value]
  {
    let given = run.evaluator.values(of: template.with, in: scope, run.state)
    guard record.isFlow else { return try params(run, given, of: record) }
    guard let flow = run.program.flow(of: record) else { return given }
    guard flow.kind == .screen, case .root(let root) = flow.initialChildren else { return try params(run, given, of: record, flow) }
    let own = run.evaluator.values(of: root.with, in: Scope(params: given, flow: record.nodeID), run.state)
    return try params(run, own.updated(with: given), of: record)
  }

  /// Adds a new node to the table with its params and content, and starts its effects.
  private static func enter(
    _ run: inout Run, _ record: NodeRecord, _ template: NodeTemplate, params: [String: Value], facts: [String: Value] = [:],
    _ evaluator: Evaluator, scope: Scope
  ) throws(Refusal) {
    let details = NodeDetails(
      params: params, facts: facts, content: content(run, template.content, evaluator, in: scope),
      terms: template.hasTerms ? terms(run, of: template, for: record.ownerID, evaluator, in: scope) : nil)
    try charge(&run, details, of: record)
    run.state.nodes.append(record, details: details.isEmpty ? nil : details)
    if let load = template.load { try Effects.startLoad(&run, load, of: record.nodeID, scope: scope) }
    for timer in template.after { try Effects.startTimer(&run, timer, of: record.nodeID, scope: scope) }
  }

  /// The terms of a new node. `owner` is the flow that owns the node.
  private static func terms(
    _ run: borrowing Run, of template: NodeTemplate, for owner: NodeID?, _ evaluator: Evaluator, in scope: Scope
  ) -> NodeTerms {
    NodeTerms(
      steps: evaluator.partial(template.steps, in: scope, run.state), leave: evaluator.partial(leave: template.leave, in: scope, run.state),
      authorization: template.carriesAuthorizeURL ? evaluator.stamp.nonce : nil,
      resultReceiver: Results.resultReceiver(run, of: template, for: owner, in: scope))
  }

  private static func charge(_ run: inout Run, _ details: NodeDetails, of record: NodeRecord) throws(Refusal) {
    guard run.meter.isCounting, !details.isEmpty else { return }
    try run.meter.write(details.params, as: "the params of", run.state.nodes.name(of: record))
    if !details.facts.isEmpty { try run.meter.write(details.facts, as: "the facts of", run.state.nodes.name(of: record)) }
    if let value = details.content?.value { try run.meter.write(value, as: "the content of", run.state.nodes.name(of: record)) }
    if details.hasTerms { try run.meter.write(details.terms.size) }
  }

  /// The initial content of a node; `nil` if it has none.
  private static func content(_ run: borrowing Run, _ expression: Expression?, _ evaluator: Evaluator, in scope: Scope) -> Content? {
    expression.map { Content(status: .loaded, value: evaluator.value(of: $0, in: scope, run.state) ?? .null) }
  }

  /// Completes the node of a `screen` flow with the name, params, content, terms and effects of its root screen. The values from the template that created the
  /// flow take precedence.
  static func furnishRoot(_ run: inout Run, _ id: NodeID, _ screen: Int32, _ root: NodeTemplate) throws(Refusal) {
    let pushed = run.state.nodes.details(of: id)
    var scope = Scope()
    scope.params = pushed.params
    scope.flow = id
    run.state.nodes.update(id) {
      $0.name = screen
      if root.listen.hidden { $0.listen.hidden = true }
      if root.listen.dismissed { $0.listen.dismissed = true }
      if root.leave != nil { $0.isGuarded = true }
    }
    guard let record = run.state.nodes.record(id) else { return }
    let evaluator = pushed.authorization.map { run.evaluator.with(nonce: $0) } ?? evaluator(run, for: root, of: id)
    let given = evaluator.values(of: root.with, in: scope, run.state).updated(with: scope.params)
    var terms = pushed.terms
    terms.steps = terms.steps.withSight(of: evaluator.partial(root.steps, in: scope, run.state))
    terms.leave = terms.leave ?? evaluator.partial(leave: root.leave, in: scope, run.state)
    if root.carriesAuthorizeURL { terms.authorization = terms.authorization ?? evaluator.stamp.nonce }
    let details = NodeDetails(
      params: try params(run, given, of: record), facts: pushed.facts,
      content: pushed.content ?? content(run, root.content, evaluator, in: scope), terms: terms)
    try charge(&run, details, of: record)
    run.state.nodes.setDetails(details, of: id)
    if let load = root.load { try Effects.startLoad(&run, load, of: id, scope: scope) }
    for timer in root.after { try Effects.startTimer(&run, timer, of: id, scope: scope) }
  }
}
