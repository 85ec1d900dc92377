/// One occurrence while an action ran, such as a handled step or a held link.
public struct Event: Hashable, Sendable {
  public var type: Kind
  /// The flow that handled the step; `nil` if the event concerns no flow. `node` is the flow's node or, without a flow, the node that the event
  /// concerns.
  public var flow: String?
  public var node: NodeID?
  /// The step after adaptation; `nil` if the event concerns no step.
  public var step: String?
  public var params: [String: Value]?
  public var reason: String?
  public var url: String?
  public var category: String?
  /// The held link that the event concerns; `nil` if it concerns no link.
  public var link: LinkID?
  /// The question that the event concerns; `nil` if it concerns no question.
  public var question: QuestionID?
  /// The client and the number of the action that the question had stopped; `nil` for other events, or if the action was not numbered.
  public var sender: Sender?
  #if !CLIENT_ENGINE
    /// The held action that the event concerns; `nil` if it concerns no held action.
    public var held: HeldID?
  #endif
  /// The key of the message that the event concerns; `nil` if it concerns no message.
  public var key: String?
  /// Whether the user sees the node for the first time; `nil` for events other than `seen`.
  public var isFirst: Bool?

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case willNavigate, didNavigate, dropped
    case timerFailed, timerSkipped
    case loadStarted, loadChanged, loadFinished, loadFailed, loadCancelled
    case messageStarted, messageFinished, messageFailed, messageKnown
    case loginRequested, loginFailed, loggedIn, loggedOut
    case linkHeld, linkResumed, linkDropped
    case actionHeld, actionReleased, actionDropped
    case questionEnded, exit
    case seen, unseen
    case notificationShown, notificationSuppressed, notificationOpened, notificationTaken
  }

  public init(
    _ type: Kind, flow: String? = nil, node: NodeID? = nil, step: Step? = nil, reason: String? = nil, url: String? = nil,
    category: String? = nil, link: LinkID? = nil, question: QuestionID? = nil, sender: Sender? = nil, isFirst: Bool? = nil,
    key: String? = nil
  ) {
    self.type = type
    self.flow = flow
    self.node = node
    self.step = step?.step
    self.params = (step?.params.isEmpty ?? true) ? nil : step?.params
    self.reason = reason
    self.url = url
    self.category = category
    self.link = link
    self.question = question
    self.sender = sender
    self.isFirst = isFirst
    self.key = key
  }
}

#if !CLIENT_ENGINE
  extension Event {
    /// An event that concerns a held action.
    init(_ type: Kind, reason: String? = nil, held: HeldID) {
      self.init(type, reason: reason)
      self.held = held
    }
  }
#endif
