/// An action of a client that a guarded node or a closed tab has stopped, or a step whose handler selects a closed tab. It waits until a handler runs
/// `proceed` or the tab's condition is true, or until the question ends.
public struct Question: Hashable, Sendable {
  public internal(set) var id: QuestionID
  /// The node whose guard was asked last, or the gated tab.
  public var node: NodeID
  /// Whether a closed tab has stopped the action, which is performed automatically when the tab's condition becomes true.
  public var isGate = false
  /// The nodes that have agreed to be removed.
  public var agreed: [NodeID]
  /// The aim of the action, by nodes rather than by names or counts, because other nodes may be created or removed while the question waits.
  public var aim: Aim
  /// The value of `type` of the action.
  public var action: String
  /// The client that posted the action and the action's number; `nil` if it was not numbered.
  public var sender: Sender?
  /// The lowest number of a node that was created after the question was asked.
  public var firstNode: WideInt
  /// The lowest number of an effect that was started after the question was asked.
  public var firstEffect: WideInt
  /// The modal that the guard's step has presented; `nil` if it has presented none.
  public var dialog: NodeID?

  public enum Aim: Hashable, Sendable {
    /// Pops a stack until `top` is on top. If `top` no longer exists, pops the nodes from `above` on, which was the node above `top`.
    case keep(top: NodeID, above: NodeID)
    case remove(NodeID)
    case select(tab: NodeID, in: NodeID)
    /// Leaves the app, by `back` on its last page.
    case exit
    case open(LinkID, url: String)
    /// Sends the step of a notification to which the user has reacted, or of a URL that no link matches.
    case send(LinkID, StepTemplate)
    /// Runs a flow's handler of a step again, from its beginning. `from` is the node that emitted the step; `nil` if no node did.
    case handle(Step, by: NodeID, from: NodeID?)

    /// The id under which the link or notification is pending; `nil` for other aims.
    public var link: LinkID? {
      switch self {
      case .open(let link, _), .send(let link, _): link
      case .keep, .remove, .select, .exit, .handle: nil
      }
    }

    /// The URL of the link; `nil` for other aims.
    public var url: String? { if case .open(_, let url) = self { url } else { nil } }
  }

  /// The id under which the question's link or notification is pending; `nil` for other aims.
  public var link: LinkID? { aim.link }

  var isBack: Bool { action.isExactly("\(ActionRow[.back].word)") }

  /// The nodes that the action names.
  var nodes: [NodeID] {
    switch aim {
    case .keep(let top, let above): [top, above]
    case .remove(let node): [node]
    case .select(let tab, let tabs): [tab, tabs]
    case .exit, .open, .send, .handle: []
    }
  }
}

/// The session's question and the number of the next question.
struct QuestionBook: Hashable, Sendable {
  /// The question, if there is one. An array, because every action reads it, few sessions have one, and an empty array takes only the size
  /// of a pointer.
  private var questions: [Question] = []

  var asked: Question? {
    get { questions.first }
    set { questions = newValue.map { [$0] } ?? [] }
  }

  var isAsking: Bool { !questions.isEmpty }
  /// The number of the next question. Numbers are never reused.
  var next: WideInt

  init(asked: Question? = nil, next: WideInt = 1) {
    self.next = next
    self.asked = asked
  }
}

extension QuestionBook {
  /// Stores a question, with the id and the agreements of the question that it replaces. With `isNext`, the question concerns the same
  /// action: after one node has agreed, the next one asks.
  mutating func ask(
    _ node: NodeID, isGate: Bool, before aim: Question.Aim, by action: String, _ sender: Sender?, isNext: Bool, firstNode: WideInt,
    firstEffect: WideInt
  ) {
    guard var question = asked else {
      asked = Question(
        id: QuestionID(next), node: node, isGate: isGate, agreed: [], aim: aim, action: action, sender: sender, firstNode: firstNode,
        firstEffect: firstEffect)
      next += 1
      return
    }
    if !isNext { (question.action, question.sender) = (action, sender) }
    (question.node, question.isGate, question.aim) = (node, isGate, aim)
    asked = question
  }
}
