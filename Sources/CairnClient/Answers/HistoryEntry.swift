public import CairnCore
public import Foundation

/// A revision: what brought it, and what it changed.
public struct HistoryEntry: Sendable, Decodable {
  public var revision: Int
  public var at: Date
  /// The action as a client posts it, with `true` instead of a secret; for the service's own work, its `effect`.
  public var cause: Value
  /// The operator who asked for it.
  public var by: String?
  public var outcome: Outcome
  /// Why nothing changed, or what is waited for: a stable word.
  public var reason: String?
  /// The events of the action, in order.
  public var events: [Event]
  /// The changes from the tree of the revision before to this one's.
  public var changes: [Change]
  /// All of it, as it came.
  public var json: Value

  private enum CodingKeys: String, CodingKey { case revision, at, action, cause, by, outcome, reason, events, changes }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    revision = try members.decode(Int.self, forKey: .revision)
    at = try members.decode(Date.self, forKey: .at)
    // The history says `action`, the stream `cause`.
    cause = try members.decodeIfPresent(Value.self, forKey: .cause) ?? members.decode(Value.self, forKey: .action)
    by = try members.decodeIfPresent(String.self, forKey: .by)
    outcome = try members.decode(Outcome.self, forKey: .outcome)
    reason = try members.decodeIfPresent(String.self, forKey: .reason)
    events = try members.readable(.events)
    changes = try members.decode([Change].self, forKey: .changes)
    json = try Value(from: decoder)
  }
}
