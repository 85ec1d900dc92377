/// The steps of an action that wait for their turns, in the order of arrival, and the follow-up steps of the running turn.
struct TurnQueue {
  /// A step on its way to a flow.
  struct Item {
    var intent: Intent
    var receiver: Receiver
    /// The node that sent the step. Expressions can read its content, and `dismiss` may close it.
    var emitter: Emitter?
    var isBroadcast = false
    /// Whether the step carries the result of a flow. It is dropped if the receiver no longer exists.
    var isAnswer = false

    enum Receiver {
      case flow(NodeID)
      /// The flow that handles the visible screen's steps, determined when the turn begins.
      case visible
      /// The flow with this name that is nearest to the sending flow, if any, determined when the turn begins.
      indirect case named(String, from: NodeID?)
      /// All living flows, determined when the turn begins.
      case all
    }
  }

  /// The kinds of follow-up steps, in the order in which they are queued, whatever the order of the operations (design 4, Order).
  enum FollowUp: Int, CaseIterable {
    case toParent, ended, left, answer, start, rule, toCurrent
  }

  private var waiting: [Item] = []
  private var next = 0
  private var followUps: [(kind: FollowUp, item: Item)] = []
  /// The facts that the running turn has written.
  private(set) var written: Set<String> = []
  /// The node that `reveal` brought to the front. A later `push` of the same turn uses it.
  var revealed: NodeID?
  /// The step of a broadcast. Flows that are created in this turn receive it too, after their start steps.
  var broadcast: Intent?
  /// The number of turns so far.
  private(set) var count = 0

  /// The maximum of turns per action. An action that exceeds it contains a loop and is undone.
  static let limit = 1_000

  /// Queues a step.
  mutating func enqueue(_ item: Item) { waiting.append(item) }

  /// Adds a follow-up step, which is queued at the end of the running turn.
  mutating func follow(_ kind: FollowUp, _ item: Item) {
    followUps.append((kind, item))
    if kind == .answer { followUps[followUps.count - 1].item.isAnswer = true }
  }

  /// Records that a fact was written, so that the rules with this fact are checked.
  mutating func note(written fact: String) { written.insert(fact) }

  /// Removes and returns the next step; `nil` if none is waiting.
  mutating func take() -> Item? {
    guard next < waiting.count else {
      if next > 0 { (waiting, next) = ([], 0) }
      return nil
    }
    next += 1
    return waiting[next - 1]
  }

  /// Replaces a broadcast that was taken by one item per flow, at the front of the queue.
  mutating func spread(_ item: Item, over flows: [NodeID]) {
    let items = flows.map { Item(intent: item.intent, receiver: .flow($0), emitter: item.emitter, isBroadcast: true) }
    waiting.insert(contentsOf: items, at: next)
  }

  /// Starts a turn. Returns `false` if the action has too many turns.
  mutating func begin(broadcast: Intent?) -> Bool {
    count += 1
    clear()
    self.broadcast = broadcast
    return count <= Self.limit
  }

  /// Discards the follow-up steps and written facts of the turn.
  mutating func clear() {
    if !followUps.isEmpty { followUps = [] }
    if !written.isEmpty { written = [] }
    revealed = nil
    broadcast = nil
  }

  /// Queues the follow-up steps of the turn, and ends it.
  mutating func finish() {
    if !followUps.isEmpty {
      for kind in FollowUp.allCases { for followUp in followUps where followUp.kind == kind { waiting.append(followUp.item) } }
    }
    clear()
  }
}
