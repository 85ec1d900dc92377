/// Keeps one session from using up time and memory: no action takes unbounded time.
enum Limits {
  /// Ids that a session may give out in its life: what a record has room for.
  static let idLimit = WideInt(Int32.max)
  /// Containers and modals inside each other: what reads JSON gives up at some depth, and each one is two levels of it.
  static let depthLimit = 100
  /// Gone screens that are listened to; the oldest is forgotten first.
  static let listenerLimit = 1_000
  /// Gone `screen` flows that are listened to: each is a node still; the oldest ends first.
  static let goneFlowLimit = 100
  /// Bytes of a URL that is opened: what RFC 9110 (4.1) has every recipient take.
  static let urlLimit = 8_000

  /// Refuses a node beyond the bounds of the session, and a node below one that is not in the tree.
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

  /// Refuses an effect too many.
  static func checkEffects(_ run: borrowing Run) throws(Refusal) {
    guard run.state.effects.count < run.meter.bounds.effects else {
      throw Refusal(.sessionTooLarge, "\(run.meter.bounds.effects) timers and loads are running, which is the most")
    }
  }

  /// Refuses a URL that is longer than any that has to be taken.
  static func checkLength(_ run: borrowing Run, of url: String) throws(Refusal) {
    guard run.meter.isCounting, url.utf8.count > Limits.urlLimit else { return }
    throw Refusal(
      .valueTooLarge, "the URL has \(url.utf8.count) bytes; \(Limits.urlLimit) is the most",
      faults: [.init(pointer: "/url", detail: "must have at most \(Limits.urlLimit) bytes")])
  }

  /// Weighs the state that the action made, in time proportional to the change. The estimate is never too small, so the state is weighed as
  /// a whole only if the estimate is too large. A state that was too large before may become smaller.
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
  /// A bound was reached: the whole action is taken back, not one turn of it.
  var isBound: Bool {
    switch self {
    case .stepLoop, .sessionTooLarge, .valueTooLarge, .tooMuchWork: true
    default: false
    }
  }
}
