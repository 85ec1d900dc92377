/// One action being run: the state as it becomes, and what is collected on the way.
struct Run {
  let definition: Definition
  let stamp: Stamp
  var state: State
  /// Steps that wait for their turn, first in first out.
  var queue: [Item] = []
  var events: [Event] = []
  /// Why something did not change anything; the last one counts.
  var reason: String?
  /// A link was held or a token call started: the answer is not there yet.
  var isPending = false
  var turns = 0
  /// What the turn that is running has collected so far.
  var turn = Turn()
  /// An authorize URL was worked out for the node that is being made.
  var authorizationWasRead = false

  /// A step on its way to a flow.
  struct Item {
    var step: Step
    var receiver: Receiver
    /// Who emitted it: its content can be read, and `dismiss` may close it.
    var emitter: Node?
    var isBroadcast = false

    enum Receiver {
      case flow(NodeID)
      /// The flow that hears the visible screen when the step's turn comes.
      case visible
    }
  }

  /// The follow-ups of one turn, in the order in which they are appended.
  struct Turn {
    /// What a `reveal` brought up: a `push` after it goes there.
    var revealed: NodeID?
    var toParent: [Item] = []
    var ended: [Item] = []
    var left: [Item] = []
    var starts: [Item] = []
    var toCurrent: [Item] = []
    var written: Set<String> = []
    /// The step of a broadcast: flows that are made get it too, after their start steps.
    var broadcast: Step?
  }

  /// More turns than this is a loop, and takes everything back.
  static let turnLimit = 1_000

  init(_ definition: Definition, state: State, stamp: Stamp) {
    self.definition = definition
    self.state = state
    self.stamp = stamp
  }

  /// Runs the turns of all queued steps, then a held link that has become possible, once.
  mutating func drain() throws(Refusal) {
    try drainQueue()
    resumePendingLink()
    try drainQueue()
  }

  private mutating func drainQueue() throws(Refusal) {
    var next = 0
    while next < queue.count {
      let item = queue[next]
      next += 1
      let before = state
      do {
        try take(item)
      } catch  where error.code != .stepLoop {
        // A later turn that would be refused is undone alone.
        state = before
        drop(item.step, error.code.rawValue)
      }
    }
    queue = []
  }

  mutating func drop(_ step: Step, _ why: String, flow: Node? = nil) {
    events.append(Event(.dropped, flow: flow?.flow, node: flow?.id, step: step, reason: why))
    reason = why
  }

  /// One turn: adapt, willNavigate, the operations, didNavigate; its follow-ups are appended. On a refusal the caller
  /// puts the state back.
  mutating func take(_ item: Item) throws(Refusal) {
    turns += 1
    guard turns <= Run.turnLimit else {
      throw Refusal(.stepLoop, "more than \(Run.turnLimit) turns: steps that send each other, the last one \(item.step.step)")
    }
    turn = Turn()
    turn.broadcast = item.isBroadcast ? item.step : nil
    let eventCount = events.count
    do {
      try handle(item)
    } catch {
      events.removeLast(events.count - eventCount)
      turn = Turn()
      throw error
    }
    finishTurn()
  }

  /// Appends what the turn has collected: forwards to the parent, the end's step, start steps, rules, forwards to itself.
  mutating func finishTurn() {
    queue += turn.toParent + turn.ended + turn.left + turn.starts
    queueRules(naming: turn.written)
    queue += turn.toCurrent
    turn = Turn()
  }

  /// Rules go to the root flow, in file order; nil: all of them (the start).
  mutating func queueRules(naming written: Set<String>?) {
    for rule in definition.rules {
      if let written, rule.when.facts.isDisjoint(with: written) { continue }
      guard holds(rule.when, in: Scope()) else { continue }
      do {
        let step = try step(from: rule.step, in: Scope())
        queue.append(Item(step: step, receiver: .flow(state.root)))
      } catch {
        drop(Step(rule.step.step), error.code.rawValue)
      }
    }
  }
}
