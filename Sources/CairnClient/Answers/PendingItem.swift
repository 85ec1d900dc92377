public import CairnCore
public import Foundation

/// An item that a session waits for: a question, a held link, a held action, a queued modal or overlay, a load, a message, a timer, or a
/// token exchange. A member that does not apply to its kind is `nil`.
public struct PendingItem: Sendable, Decodable {
  /// The kind: `question`, `link`, `action`, `modal`, `overlay`, `load`, `message`, `timer` or `token`.
  public var kind: String
  /// The id of a question, for `cancel`.
  public var question: QuestionID?
  /// The `type` of the action that a question has stopped, or of a held action; `nil` for other kinds.
  public var action: String?
  /// The id of a held action, for `cancel`.
  public var held: HeldID?
  /// The number of clients that have not been in contact since the action was held; `nil` for other kinds.
  public var clients: Int?
  /// The reason why a question has stopped the action: `guarded` if a guard asks, `requires` if the condition of a tab is false; `nil` for
  /// other kinds.
  public var reason: String?
  /// The id of a held link, for `cancel`.
  public var link: LinkID?
  /// The URL of a held link.
  public var url: String?
  /// The node of the item: the node that asks a question, the tab that the question concerns, the node to which a timer or a load belongs,
  /// or the queued modal or overlay.
  public var node: NodeID?
  /// The key of a message, for `retry`; `nil` for other kinds.
  public var key: String?
  /// The step that a timer or a held action sends.
  public var step: String?
  /// The name of the timer, of the queued screen or flow, or of the screen or flow whose guard asks; `nil` for other kinds.
  public var name: String?
  /// The level on which a queued modal will be presented; `nil` for other kinds.
  public var level: Int?
  /// The slot in which a queued overlay will be shown; `nil` for other kinds.
  public var slot: String?
  /// The HTTP method of a load; `nil` for GET.
  public var method: String?
  /// The time at which a timer fires, or at which a load times out or is retried.
  public var due: Date?
  /// The time at which a held link expires (`nil` for the link of a question), at which a held action is performed at the latest, or at which the last attempt
  /// of a load ends.
  public var until: Date?
  /// `true` for a timer or load that waits until its page is seen or visible again, and for a message that is sent after an earlier one. Also
  /// `true` for a message of an imported session, which is sent after `retry`.
  public var waits: Bool?
}
