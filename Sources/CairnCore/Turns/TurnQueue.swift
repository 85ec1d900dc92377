/// The queued steps of one action, first in, first out, and the follow-up steps of the running turn.
struct TurnQueue {
  /// A step and its receiver.
  struct Item {
    var intent: Intent
    var receiver: Receiver
    /// The node that emitted the step; `nil` if no node emitted it. Expressions can read its content, and `dismiss` may close the modal
    /// that contains it.
    var emitter: Emitter?
    var isBroadcast = false
    /// Whether the step carries a result to its receiver. Such a step is dropped if the receiver no longer exists.
    var isAnswer = false

    enum Receiver {
      case flow(NodeID)
      /// The flow that handles the visible screen's steps when the turn begins.
      case visible
      /// The nearest flow of this name when the turn begins, as seen from the sending flow (`from`) or, without one, from the front of the tree.
      indirect case named(String, from: NodeID?)
      /// The question that a node asks; its action is performed.
      case question(QuestionID, of: NodeID)
      /// Every flow that has not ended when the turn begins.
      case all
    }
  }

  /// The kinds of follow-up steps. They are queued in this order, even if they were sent in another order.
  enum FollowUp: Int, CaseIterable {
    case toParent, ended, left, answer, start, rule, toCurrent, proceed, sight
  }

  private var waiting: [Item] = []
  private var next = 0
  private var followUps: [(kind: FollowUp, item: Item)] = []
  /// The facts written in this turn.
  private(set) var written: Set<String> = []
  /// The node that a `reveal` brought to the front; `nil` if there was no `reveal`. A later `push` in the same turn pushes onto the node's stack.
  var revealed: NodeID?
  /// The step of the running broadcast; `nil` if no broadcast is running. Flows created in this turn receive it too, after their start steps.
  var broadcast: Intent?
  /// The number of turns so far.
  private(set) var count = 0

  /// Maximum number of turns. A larger number is treated as a loop, and the whole action is undone.
  static let limit = 1_000

  /// Appends a step to the queue.
  mutating func enqueue(_ item: Item) { waiting.append(item) }

  /// Adds a follow-up step, which is queued at the end of this turn.
  mutating func follow(_ kind: FollowUp, _ item: Item) {
    followUps.append((kind, item))
    if kind == .answer { followUps[followUps.count - 1].item.isAnswer = true }
  }

  /// Records a written fact. Rules that read it are evaluated at the end of the turn.
  mutating func note(written fact: String) { written.insert(fact) }

  /// Removes and returns the next step; `nil` if the queue is empty.
  mutating func take() -> Item? {
    guard next < waiting.count else {
      if next > 0 { (waiting, next) = ([], 0) }
      return nil
    }
    next += 1
    return waiting[next - 1]
  }

  /// Replaces a broadcast, which was taken from the queue, by one turn per flow at the front of the queue.
  mutating func spread(_ item: Item, over flows: [NodeID]) {
    let items = flows.map { Item(intent: item.intent, receiver: .flow($0), emitter: item.emitter, isBroadcast: true) }
    waiting.insert(contentsOf: items, at: next)
  }

  /// Begins a turn. Returns false if the limit is exceeded.
  mutating func begin(broadcast: Intent?) -> Bool {
    count += 1
    clear()
    self.broadcast = broadcast
    return count <= Self.limit
  }

  /// Discards everything that the turn has collected.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  mutating func clear() {
    if !followUps.isEmpty { followUps = [] }
    if !written.isEmpty { written = [] }
    revealed = nil
    broadcast = nil
  }

  /// Queues the follow-up steps of the turn in the order of their kinds.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  mutating func finish() {
    if !followUps.isEmpty {
      for kind in FollowUp.allCases { for followUp in followUps where followUp.kind == kind { waiting.append(followUp.item) } }
    }
    clear()
  }
}
