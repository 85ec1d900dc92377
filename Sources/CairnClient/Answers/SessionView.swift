public import CairnCore
public import Foundation

/// A session as the service returns it.
public struct SessionView: Sendable, Decodable {
  public var id: String
  public var app: String
  /// The hash of the definition that the session is pinned to.
  public var definition: String
  public var label: String?
  public var revision: Int
  public var tree: Tree
  /// The visible routes from the root to the leaf, including modals.
  public var stack: [RouteEntry]
  /// The visible route; `nil` if no screen is visible.
  public var visible: RouteEntry?
  /// The visible facts. `accessToken` is `true` or `false`: whether a token exists.
  public var facts: [String: Value]
  public var login: Login
  /// The actions that may be posted now.
  public var accepts: Acceptance
  /// The items that the session waits for, such as timers, loads and held links. Items that this client cannot read are omitted.
  public var pending: [PendingItem]
  public var createdAt: Date
  public var updatedAt: Date
  /// The time at which the session expires unless it changes before; `nil` if it never expires.
  public var expiresAt: Date?
  /// The time of the session's manual clock; `nil` if the session uses the system's clock.
  public var now: Date?
  /// The response to the link or notification of a cold start; `nil` if there was none.
  public var opened: Opened?
  /// The whole response as received.
  public var json: Value
  /// The session's secret; `nil` unless this is the response to the session's creation.
  var secret: String?

  /// The response to the link or notification of a cold start.
  public enum Opened: Sendable {
    case performed(ActionAnswer)
    case refused(ServiceProblem)
  }

  private enum CodingKeys: String, CodingKey {
    case id, app, definition, label, revision, tree, stack, visible, facts, login, accepts, pending, createdAt, updatedAt, expiresAt, now
    case opened, secret
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    app = try members.decode(String.self, forKey: .app)
    definition = try members.decode(String.self, forKey: .definition)
    label = try members.decodeIfPresent(String.self, forKey: .label)
    revision = try members.decode(Int.self, forKey: .revision)
    tree = try members.decode(Tree.self, forKey: .tree)
    stack = try members.decode([RouteEntry].self, forKey: .stack)
    visible = try members.decodeIfPresent(RouteEntry.self, forKey: .visible)
    facts = try members.decode([String: Value].self, forKey: .facts)
    login = try members.decode(Login.self, forKey: .login)
    accepts = try members.decode(Acceptance.self, forKey: .accepts)
    pending = try members.readable(.pending)
    createdAt = try members.decode(Date.self, forKey: .createdAt)
    updatedAt = try members.decode(Date.self, forKey: .updatedAt)
    expiresAt = try members.decodeIfPresent(Date.self, forKey: .expiresAt)
    now = try members.decodeIfPresent(Date.self, forKey: .now)
    opened = try members.decodeIfPresent(Opened.self, forKey: .opened)
    secret = try members.decodeIfPresent(String.self, forKey: .secret)
    json = try Value(from: decoder)
  }
}

extension SessionView.Opened: Decodable {
  private enum CodingKeys: String, CodingKey { case code }

  public init(from decoder: any Decoder) throws {
    let isProblem = try decoder.container(keyedBy: CodingKeys.self).contains(.code)
    self = isProblem ? .refused(try ServiceProblem(from: decoder)) : .performed(try ActionAnswer(from: decoder))
  }
}
