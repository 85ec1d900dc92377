import CairnCore
public import Foundation

/// Actions that the service has refused, or that had no response when their session ended. Later actions that depended on the first one are
/// in the same group.
public struct RefusedGroup: Sendable, Hashable {
  public var id: String
  /// The id of the session for which the actions were made.
  public var session: String
  /// The client's time at which the group was created.
  public var at: Date
  /// The code of the first refusal; `over` if the session has ended.
  public var code: String
  /// The message of the first refusal; `nil` if it may contain a secret.
  public var detail: String?
  /// The actions in order, without those that have a token, a code or a secret param.
  public var actions: [Item]

  /// An action of a group.
  public struct Item: Sendable, Hashable {
    public var action: SessionAction
    /// The time of the action by the client's clock.
    public var at: Date
    /// Whether the service may have performed the action: it was sent, and had no response when the session ended.
    public var mayHaveRun: Bool
  }
}

/// A group with all data that is needed to post its actions again.
struct KeptGroup: Sendable {
  struct Item: Sendable {
    var number: Int
    /// The client's time of the action in milliseconds since 1970.
    var at: Int
    /// The action in its posted form, without its time and revision; `nil` if it may not be stored.
    var action: Value?
    /// The hash of the definition for which the action was made.
    var definition: String
    var mayHaveRun = false
  }

  var id: String
  var session: String
  /// The id of the client that numbered the actions.
  var client: String
  /// The client's time at which the group was created, in milliseconds since 1970.
  var at: Int
  var code: String
  var detail: String?
  var items: [Item] = []

  var hasContent: Bool { items.contains { $0.action != nil } }

  /// Whether an action names a node that an action outside the group creates.
  var namesOthers: Bool {
    let numbers = Set(items.map(\.number))
    return items.compactMap(\.action).flatMap(NodeNames.names).contains { !numbers.contains($0.action) }
  }

  /// The group as the app receives it.
  var shown: RefusedGroup {
    let actions = items.compactMap { item in
      item.action.map { RefusedGroup.Item(action: SessionAction($0), at: Self.date(item.at), mayHaveRun: item.mayHaveRun) }
    }
    return RefusedGroup(id: id, session: session, at: Self.date(at), code: code, detail: detail, actions: actions)
  }

  private static func date(_ time: Int) -> Date { Date(timeIntervalSince1970: Double(time) / 1_000) }
}
