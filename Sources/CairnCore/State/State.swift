/// A session's truth: the tree, the facts, the running effects. A value; only the reducer makes a new one.
public struct State: Hashable, Sendable, Codable {
  /// +1 for each accepted action that changes it.
  public var revision: Int
  /// The number of the next node; never reused.
  public var nextNode: Int
  public var root: NodeID
  public var nodes: NodeTable
  /// `accessToken` is `true` or absent; its value is elsewhere.
  public var facts: [String: Value]
  /// In the order of their creation.
  public var effects: [Effect]
  public var nextEffect: Int
  /// Screens that are gone and still listened to.
  public var listeners: [Listener]
  public var pendingLink: PendingLink?
  public var login: Login
  /// How often a token was written: a new token is a change even when one was there.
  public var tokenWrites: Int
  /// The values of the environment variables that the definition names, secrets excepted, as they were at creation.
  public var environment: [String: String]
  /// The time of a session with a manual clock, milliseconds since 1970; nil: the system's clock.
  public var manualTime: Int?

  public init(
    revision: Int = 0, root: NodeID = NodeID(1), environment: [String: String] = [:], manualTime: Int? = nil
  ) {
    self.revision = revision
    self.nextNode = 1
    self.root = root
    self.nodes = NodeTable()
    self.facts = [:]
    self.effects = []
    self.nextEffect = 1
    self.listeners = []
    self.pendingLink = nil
    self.login = Login(status: .loggedOut)
    self.tokenWrites = 0
    self.environment = environment
    self.manualTime = manualTime
  }
}

extension State {
  /// The same in all but the nodes and the revision.
  func isEqual(to other: State) -> Bool {
    facts == other.facts && effects == other.effects && listeners == other.listeners && pendingLink == other.pendingLink
      && login == other.login && tokenWrites == other.tokenWrites && manualTime == other.manualTime && nextNode == other.nextNode
      && nextEffect == other.nextEffect && root == other.root && environment == other.environment
  }
}
