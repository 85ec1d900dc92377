/// A deep link: which URLs it takes, and the steps it becomes.
public struct LinkDefinition: Hashable, Sendable {
  /// Hosts of `https` (and `http`) URLs.
  public var hosts: [String]
  /// Custom schemes; for these host + path is the path.
  public var schemes: [String]
  public var path: [Segment]
  /// Query items that it reads, by name; the others are passed over.
  public var query: [String]
  public var action: Action
  /// While it does not hold the link is held as pending.
  public var requires: Guard?
  /// Milliseconds that it is held at most.
  public var hold: Int

  public enum Segment: Hashable, Sendable {
    case literal(String)
    case capture(String)
  }

  public enum Action: Hashable, Sendable {
    /// As steps of the visible screen, contract and gate aside.
    case steps([StepTemplate])
    /// RxFlow: to every living flow, parent first.
    case broadcast(StepTemplate)
  }

  /// 24 hours.
  public static let defaultHold = 86_400_000

  public init(
    hosts: [String] = [], schemes: [String] = [], path: [Segment], query: [String] = [], action: Action,
    requires: Guard? = nil, hold: Int = LinkDefinition.defaultHold
  ) {
    self.hosts = hosts
    self.schemes = schemes
    self.path = path
    self.query = query
    self.action = action
    self.requires = requires
    self.hold = hold
  }
}

/// Where a remote notification keeps its link and category, and when one is not shown.
public struct NotificationDefinition: Hashable, Sendable {
  /// JSON Pointers (RFC 6901) into the payload, the first that holds a string wins.
  public var linkPointers: [String]
  public var categoryPointers: [String]
  public var suppress: [Suppression]

  public struct Suppression: Hashable, Sendable {
    /// nil: of any category.
    public var category: String?
    public var when: Guard

    public init(category: String? = nil, when: Guard) {
      self.category = category
      self.when = when
    }
  }

  public static let defaultLinkPointers = ["/url", "/link", "/deeplink", "/data/url"]
  /// Apple's payload, then the top level, then the data of an FCM message.
  public static let defaultCategoryPointers = ["/aps/category", "/category", "/data/category"]

  public init(
    linkPointers: [String] = NotificationDefinition.defaultLinkPointers,
    categoryPointers: [String] = NotificationDefinition.defaultCategoryPointers, suppress: [Suppression] = []
  ) {
    self.linkPointers = linkPointers
    self.categoryPointers = categoryPointers
    self.suppress = suppress
  }
}

/// The OAuth provider, by the names of environment variables: no value of the environment is part of a definition.
public struct OAuthDefinition: Hashable, Sendable {
  public var baseURL: Variable
  public var clientID: Variable
  /// Read by who makes the call, never part of a state or an entry.
  public var clientSecret: Variable
  public var redirectURL: Variable
  /// Below the base URL.
  public var authorizePath: String
  /// Put into the query as it is written.
  public var scope: String?
  public var tokenPath: String
  /// How the fields of the token call are sent.
  public var send: Encoding
  /// Further fields of the token call (`grant_type`, say).
  public var fields: [String: String]
  /// The member of the reply that holds the token, and those that must be there beside it.
  public var tokenMember: String
  public var requiredMembers: [String]
  /// The only values allowed in the reply's `scopes`; nil: not looked at.
  public var knownScopes: [String]?

  public enum Encoding: String, Hashable, Sendable, CaseIterable { case query, form, json }

  /// An environment variable and what stands for it when it is not set.
  public struct Variable: Hashable, Sendable {
    public var name: String
    public var fallback: String?

    public init(_ name: String, fallback: String? = nil) {
      self.name = name
      self.fallback = fallback
    }
  }

  public init(
    baseURL: Variable, clientID: Variable, clientSecret: Variable, redirectURL: Variable, authorizePath: String,
    scope: String? = nil, tokenPath: String, send: Encoding = .form, fields: [String: String] = [:],
    tokenMember: String = "access_token", requiredMembers: [String] = [], knownScopes: [String]? = nil
  ) {
    self.baseURL = baseURL
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURL = redirectURL
    self.authorizePath = authorizePath
    self.scope = scope
    self.tokenPath = tokenPath
    self.send = send
    self.fields = fields
    self.tokenMember = tokenMember
    self.requiredMembers = requiredMembers
    self.knownScopes = knownScopes
  }
}
