/// The bounds of a session's time and memory, so that no action takes unbounded time.
enum Limits {
  /// Maximum number of ids in the life of a session, because a record stores an id in 32 bits.
  static let idLimit = WideInt(Int32.max)
  /// The maximum nesting of containers and modals. JSON parsers limit the depth, and each node takes two levels of JSON.
  static let depthLimit = 100
  /// Maximum number of removed screens whose steps are still handled. The oldest is dropped first.
  static let listenerLimit = 1_000
  /// Maximum number of removed `screen` flows whose steps are still handled; each keeps its node. The oldest ends first.
  static let goneFlowLimit = 100
  /// Maximum length of a URL in an action, in bytes. RFC 9110 (4.1) recommends that recipients support this length. Links match only shorter URLs
  /// (`LinkLimit`).
  static let urlLimit = 8_000

  /// Throws if another node below the parent would exceed the maximum number or depth of nodes, or if the parent is not in the tree.
  static func checkRoom(_ run: inout Run, below parent: NodeID?) throws(Refusal) {
    guard run.state.nodes.count < run.meter.bounds.nodes, run.state.nextNode < Limits.idLimit else {
      throw Refusal(.sessionTooLarge, "the session has the maximum of \(run.meter.bounds.nodes) nodes; pop or dismiss some nodes first")
    }
    try run.meter.work(Meter.Cost.node, nodes: 0)
    guard let parent else { return }
    let depth: Int
    do {
      depth = try Self.depth(of: parent, in: run.state.nodes)
    } catch {
      throw Refusal(error, below: Children.name(run, of: parent))
    }
    guard depth < Limits.depthLimit else {
      throw Refusal(.sessionTooLarge, "containers and modals may be nested at most \(Limits.depthLimit) levels deep")
    }
  }

  /// The number of nodes from a node up to the root, both included. Throws if the node is not in the tree.
  static func depth(of id: NodeID, in nodes: NodeTable) throws(NodeTable.Misplacement) -> Int {
    var depth = 0
    var here: NodeID? = id
    while let id = here {
      guard let record = nodes.record(id), record.isPlaced else { throw .outside }
      depth += 1
      here = record.parentID
    }
    return depth
  }

  /// Throws `session-too-large` if another effect would exceed the limit.
  static func checkEffects(_ run: borrowing Run) throws(Refusal) {
    guard run.state.effects.count < run.meter.bounds.effects else {
      throw Refusal(.sessionTooLarge, "the maximum of \(run.meter.bounds.effects) timers and loads is already running")
    }
  }

  /// Throws `value-too-large` if a URL is longer than `urlLimit`.
  static func checkLength(_ run: borrowing Run, of url: String) throws(Refusal) {
    guard run.meter.isCounting, url.utf8.count > Limits.urlLimit else { return }
    throw Refusal(
      .valueTooLarge, "the URL has \(url.utf8.count) bytes; the maximum is \(Limits.urlLimit)",
      faults: [.init(pointer: "/url", detail: "must have at most \(Limits.urlLimit) bytes")])
  }

  /// Checks the size of the action's new state, in time proportional to the change. `bytes` is an upper bound of the growth; the exact size is computed only if
  /// there is no estimate yet, or if the estimate exceeds the limit. A state that was already too large may become smaller. Throws `session-too-large` if the
  /// state is too large.
  static func weigh(_ run: inout Run, since old: State, _ bytes: Int) throws(Refusal) {
    guard run.meter.isCounting else { return }
    let estimate = old.weight.map { $0 + bytes }
    if let estimate, estimate <= run.meter.bounds.state { return run.state.weight = estimate }
    let exact = run.state.size
    run.state.weight = exact
    guard exact > run.meter.bounds.state, exact > old.size else { return }
    throw Refusal(
      .sessionTooLarge,
      "the session would have about \(exact) bytes; the maximum is \(run.meter.bounds.state); pop, dismiss or clear something first")
  }
}

extension Refusal.Code {
  /// Whether the code means that a bound was exceeded. Such a refusal undoes the whole action instead of one turn.
  var isBound: Bool {
    switch self {
    case .stepLoop, .sessionTooLarge, .valueTooLarge, .tooMuchWork: true
    default: false
    }
  }
}
