public import CairnCore
public import Foundation

/// An entry of a session's history: the cause of a revision, and its changes.
public struct HistoryEntry: Sendable, Decodable {
  public var revision: Int
  /// The time of the entry. If `receivedAt` is not `nil`, this is the time at which the user made the action, according to the client.
  public var at: Date
  /// The time at which the service received the action; `nil` unless the action's client gave its own time.
  public var receivedAt: Date?
  /// The action in the form that a client posts, with `true` instead of a secret. If an effect of the service caused the revision, the type
  /// is `effect`.
  public var cause: Value
  /// The operator who posted the action; `nil` if no operator did.
  public var by: String?
  public var outcome: Outcome
  /// A stable word for the reason why nothing changed, or for the event that the session waits for; `nil` if there is neither.
  public var reason: String?
  /// The events of the action, in order.
  public var events: [Event]
  /// The changes that turn the tree of the previous revision into the tree of this revision.
  public var changes: [Change]
  /// The whole entry as received.
  public var json: Value

  private enum CodingKeys: String, CodingKey { case revision, at, receivedAt, action, cause, by, outcome, reason, events, changes }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    revision = try members.decode(Int.self, forKey: .revision)
    at = try members.decode(Date.self, forKey: .at)
    receivedAt = try members.decodeIfPresent(Date.self, forKey: .receivedAt)
    // The member is called `action` in the history and `cause` in the stream.
    cause = try members.decodeIfPresent(Value.self, forKey: .cause) ?? members.decode(Value.self, forKey: .action)
    by = try members.decodeIfPresent(String.self, forKey: .by)
    outcome = try members.decode(Outcome.self, forKey: .outcome)
    reason = try members.decodeIfPresent(String.self, forKey: .reason)
    events = try members.readable(.events)
    changes = try members.decode([Change].self, forKey: .changes)
    json = try Value(from: decoder)
  }
}
