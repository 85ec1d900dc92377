public import CairnCore
public import Foundation

/// A session as the service shows it.
public struct SessionView: Sendable, Decodable {
  public var id: String
  public var app: String
  /// The hash of the definition that it is pinned to.
  public var definition: String
  public var label: String?
  public var revision: Int
  public var tree: Tree
  /// The visible routes from the root to the leaf, modals included.
  public var stack: [RouteEntry]
  /// nil: no screen is.
  public var visible: RouteEntry?
  /// The visible facts; of an access token only whether there is one.
  public var facts: [String: Value]
  public var login: Login
  /// The actions that may be posted now.
  public var accepts: Acceptance
  /// The timers and effects in progress.
  public var pending: [PendingItem]
  public var createdAt: Date
  public var updatedAt: Date
  /// When it ends if nothing changes it before; nil: never.
  public var expiresAt: Date?
  /// The time of its manual clock; `nil` if it uses the system's.
  public var now: Date?
  /// The outcome of the link or notification that it was started with.
  public var opened: Opened?
  /// All of it, as it came.
  public var json: Value
  /// Only the response to the session's creation has it.
  var secret: String?

  /// The answer to a cold start's arrival.
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
