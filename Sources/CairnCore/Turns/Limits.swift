/// The limits per session and per action, so that no session uses unbounded time or memory.
enum Limits {
  /// The maximum number of an id. A node's record stores ids in 32 bits.
  static let idLimit = WideInt(Int32.max)
  /// The maximum depth of containers and modals. Each of them is two levels of JSON, and JSON readers limit the depth.
  static let depthLimit = 100
  /// The maximum of removed screens whose steps are still handled. The oldest one is dropped first.
  static let listenerLimit = 1_000
  /// The maximum of removed `screen` flows that still handle steps. Each of them has a node. The oldest one ends first.
  static let goneFlowLimit = 100
  /// The maximum length of an opened URL in bytes: the length that RFC 9110 (4.1) recommends all recipients to support.
  static let urlLimit = 8_000

  /// Throws if the session has too many nodes, if the tree is too deep, or if the parent is not in the tree.
  static func checkRoom(_ run: inout Run, below parent: NodeID?) throws(Refusal) {
    guard run.state.nodes.count < run.meter.bounds.nodes, run.state.nextNode < Limits.idLimit else {
      throw Refusal(.sessionTooLarge, "the session has \(run.meter.bounds.nodes) nodes, which is the most; pop or dismiss some first")
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
      throw Refusal(.sessionTooLarge, "containers and modals are \(Limits.depthLimit) deep inside each other, which is the most")
    }
  }

  /// The number of nodes from a node up to the root, both included.
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

  /// Throws if the session has too many effects.
  static func checkEffects(_ run: borrowing Run) throws(Refusal) {
    guard run.state.effects.count < run.meter.bounds.effects else {
      throw Refusal(.sessionTooLarge, "\(run.meter.bounds.effects) timers and loads are running, which is the most")
    }
  }

  /// Throws if a URL is longer than `urlLimit`.
  static func checkLength(_ run: borrowing Run, of url: String) throws(Refusal) {
    guard run.meter.isCounting, url.utf8.count > Limits.urlLimit else { return }
    throw Refusal(
      .valueTooLarge, "the URL has \(url.utf8.count) bytes; \(Limits.urlLimit) is the most",
      faults: [.init(pointer: "/url", detail: "must have at most \(Limits.urlLimit) bytes")])
  }

  /// Checks the size of the state after the action, in time proportional to the change. The estimate is never too small. So the size of the
  /// whole state is computed only if the estimate exceeds the limit. An action is accepted if it does not enlarge a state that already
  /// exceeds the limit. Otherwise throws.
  static func weigh(_ run: inout Run, since old: State, _ bytes: Int) throws(Refusal) {
    guard run.meter.isCounting else { return }
    let estimate = old.weight.map { $0 + bytes }
    if let estimate, estimate <= run.meter.bounds.state { return run.state.weight = estimate }
    let exact = run.state.size
    run.state.weight = exact
    guard exact > run.meter.bounds.state, exact > old.size else { return }
    throw Refusal(
      .sessionTooLarge,
      "the session would take about \(exact) bytes; \(run.meter.bounds.state) is the most; pop, dismiss or clear something first")
  }
}

extension Refusal.Code {
  /// Whether the refusal is due to a limit. It undoes the whole action and not only one turn.
  var isBound: Bool {
    switch self {
    case .stepLoop, .sessionTooLarge, .valueTooLarge, .tooMuchWork: true
    default: false
    }
  }
}
