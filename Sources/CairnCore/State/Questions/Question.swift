/// A client's action that a guarded node has stopped. It waits until a handler says `proceed`, or until the question ends.
public struct Question: Hashable, Sendable {
  public internal(set) var id: QuestionID
  /// The node whose guard was asked last.
  public var node: NodeID
  /// The nodes that have agreed to be removed.
  public var agreed: [NodeID]
  /// The aim of the action, by nodes rather than by names or counts, because other nodes may come and go while the question waits.
  public var aim: Aim
  /// The value of `type` of the action.
  public var action: String
  /// The client that posted the action and the action's number; `nil` if it was not numbered.
  public var sender: Sender?
  /// Nodes with this number or a higher one were created since the question was asked.
  public var firstNode: WideInt
  /// Effects with this number or a higher one were started since the question was asked.
  public var firstEffect: WideInt

  public enum Aim: Hashable, Sendable {
    /// Removes all nodes of the stack above `top`.
    case keep(top: NodeID, on: NodeID)
    case remove(NodeID)
    case select(tab: NodeID, in: NodeID)
    /// The app is left, by `back` on its last page.
    case exit
    case open(LinkID, url: String)
    /// Sends the step of a tapped notification.
    case send(LinkID, StepTemplate)

    /// The id under which the link or notification is pending; `nil` for a gesture.
    public var link: LinkID? {
      switch self {
      case .open(let link, _), .send(let link, _): link
      case .keep, .remove, .select, .exit: nil
      }
    }

    /// The URL of the link; `nil` for anything else.
    public var url: String? { if case .open(_, let url) = self { url } else { nil } }
  }

  /// The id under which the question's link or notification is pending; `nil` for a gesture.
  public var link: LinkID? { aim.link }

  /// The nodes that must exist for the action to have an effect.
  var nodes: [NodeID] {
    switch aim {
    case .keep(let top, let stack): [top, stack]
    case .remove(let node): [node]
    case .select(let tab, let tabs): [tab, tabs]
    case .exit, .open, .send: []
    }
  }
}

/// The session's question and the number of the next one.
struct QuestionBook: Hashable, Sendable {
  var asked: Question?
  /// Numbers are never reused.
  var next: WideInt = 1
}

extension QuestionBook {
  /// Stores a question, with the id and the agreements of the one that it replaces.
  mutating func ask(
    _ node: NodeID, before aim: Question.Aim, by action: String, _ sender: Sender?, firstNode: WideInt, firstEffect: WideInt
  ) {
    guard var question = asked else {
      asked = Question(
        id: QuestionID(next), node: node, agreed: [], aim: aim, action: action, sender: sender, firstNode: firstNode,
        firstEffect: firstEffect)
      next += 1
      return
    }
    // An agreeing node asks the next one in the same action's name, so its sender stays.
    if question.aim != aim { (question.action, question.sender) = (action, sender) }
    (question.node, question.aim) = (node, aim)
    asked = question
  }
}
