/// The steps of one action that wait for their turn, first in first out, and the follow-ups of the turn that runs.
struct TurnQueue {
  /// A step on its way to a flow.
  struct Item {
    var intent: Intent
    var receiver: Receiver
    /// Who emitted it: its content can be read, and `dismiss` may close it.
    var emitter: Emitter?
    var isBroadcast = false
    /// The answer to a screen that asked for a result: nothing, where that has gone.
    var isAnswer = false

    enum Receiver {
      case flow(NodeID)
      /// The flow that handles the visible screen's steps when the step's turn comes.
      case visible
      /// The nearest flow of this name when the step's turn comes, seen from the flow that sent it, if there is one.
      indirect case named(String, from: NodeID?)
      /// Every flow that lives when the step's turn comes.
      case all
    }
  }

  /// Why a step follows. They are appended in this order, whatever the order in which they were asked for (design 4, Order).
  enum FollowUp: Int, CaseIterable {
    case toParent, ended, left, answer, start, rule, toCurrent
  }

  private var waiting: [Item] = []
  private var next = 0
  private var followUps: [(kind: FollowUp, item: Item)] = []
  /// The facts that this turn wrote.
  private(set) var written: Set<String> = []
  /// The node that a `reveal` brought to the front: a `push` after it in the same turn goes there.
  var revealed: NodeID?
  /// The step of a broadcast: flows that are made in this turn get it too, after their start steps.
  var broadcast: Intent?
  /// Turns so far.
  private(set) var count = 0

  /// More turns than this is a loop, and takes everything back.
  static let limit = 1_000

  /// Has a step wait behind the others.
  mutating func enqueue(_ item: Item) { waiting.append(item) }

  /// Has a step follow at the end of this turn.
  mutating func follow(_ kind: FollowUp, _ item: Item) {
    followUps.append((kind, item))
    if kind == .answer { followUps[followUps.count - 1].item.isAnswer = true }
  }

  /// Notes that rules which name the fact are to be judged.
  mutating func note(written fact: String) { written.insert(fact) }

  /// The next step whose turn it is.
  mutating func take() -> Item? {
    guard next < waiting.count else {
      if next > 0 { (waiting, next) = ([], 0) }
      return nil
    }
    next += 1
    return waiting[next - 1]
  }

  /// The step that was taken has its turns now, one in each flow.
  mutating func spread(_ item: Item, over flows: [NodeID]) {
    let items = flows.map { Item(intent: item.intent, receiver: .flow($0), emitter: item.emitter, isBroadcast: true) }
    waiting.insert(contentsOf: items, at: next)
  }

  /// A turn begins; false: it is one too many.
  mutating func begin(broadcast: Intent?) -> Bool {
    count += 1
    clear()
    self.broadcast = broadcast
    return count <= Self.limit
  }

  /// Forgets what the turn has collected.
  mutating func clear() {
    if !followUps.isEmpty { followUps = [] }
    if !written.isEmpty { written = [] }
    revealed = nil
    broadcast = nil
  }

  /// Appends what the turn has collected.
  mutating func finish() {
    if !followUps.isEmpty {
      for kind in FollowUp.allCases { for followUp in followUps where followUp.kind == kind { waiting.append(followUp.item) } }
    }
    clear()
  }
}
