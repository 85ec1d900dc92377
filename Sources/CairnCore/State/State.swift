/// A session's truth: the tree, the facts, the running effects. A value; only the reducer makes a new one.
///
/// Every action copies it, so the parts that most actions do not change are behind one pointer.
public struct State: Sendable {
  /// +1 for each accepted action that changes it.
  public var revision: Int
  /// The number of the next node; never reused.
  public var nextNode: WideInt
  public var root: NodeID
  public var nodes: NodeTable
  /// The time of a session with a manual clock, milliseconds since 1970; nil: the system's clock.
  public var manualTime: WideInt?
  /// Its approximate size in bytes, rather too large than too small; `nil` until it is weighed. Not part of the state's value.
  var weight: Int?
  private var rest: Shared<Rest>

  private struct Rest: Hashable, Sendable {
    var facts: [String: Value] = [:]
    var effects = EffectBook()
    var listeners: [Listener] = []
    var links = LinkBook()
    var login = LoginBook()
    var leftForeground: WideInt?
    var environment: [String: String]
    var manualRequests = false
  }

  /// The last time that a manual clock shows: the end of the year 9999, which is the last that RFC 3339 can write.
  public static let latestTime: WideInt = 253_402_300_799_999

  public init(
    revision: Int = 0, root: NodeID = NodeID(1), environment: [String: String] = [:], manualTime: WideInt? = nil
  ) {
    self.revision = revision
    self.root = root
    self.manualTime = manualTime
    nextNode = 1
    nodes = NodeTable()
    rest = Shared(Rest(environment: environment))
  }

  /// Whether facts, effects, listeners, link, login and environment are the same for sure, without looking into them.
  package func sharesRest(with other: State) -> Bool { rest.isIdentical(to: other.rest) }

  /// `accessToken` is `true` or absent; its value is elsewhere.
  public var facts: [String: Value] {
    get { rest.value.facts }
    _modify { yield &rest.value.facts }
  }

  var effectBook: EffectBook {
    get { rest.value.effects }
    _modify { yield &rest.value.effects }
  }

  var linkBook: LinkBook {
    get { rest.value.links }
    _modify { yield &rest.value.links }
  }

  var loginBook: LoginBook {
    get { rest.value.login }
    _modify { yield &rest.value.login }
  }

  /// In the order of their creation.
  public var effects: [Effect] {
    get { rest.value.effects.running }
    set { effectBook = EffectBook(running: newValue, next: nextEffect) }
  }

  /// The number of the next effect; never reused.
  public var nextEffect: WideInt {
    get { rest.value.effects.next }
    set { effectBook = EffectBook(running: effects, next: newValue) }
  }

  /// Whether any effect runs.
  var hasEffects: Bool { !rest.value.effects.running.isEmpty }

  /// Screens that are gone and still listened to.
  public var listeners: [Listener] {
    get { rest.value.listeners }
    _modify { yield &rest.value.listeners }
  }

  /// Links that are held, in the order of their coming.
  public var pendingLinks: [PendingLink] {
    get { rest.value.links.held }
    set { linkBook = LinkBook(held: newValue, next: nextLink) }
  }

  /// The number of the next link that is held; never reused.
  public var nextLink: WideInt {
    get { rest.value.links.next }
    set { linkBook = LinkBook(held: pendingLinks, next: newValue) }
  }

  /// Whether any link is held.
  var hasPendingLinks: Bool { !rest.value.links.held.isEmpty }

  public var login: Login {
    get { rest.value.login.login }
    set { loginBook.login = newValue }
  }

  /// How often a token was written.
  public var tokenWrites: Int {
    get { rest.value.login.tokenWrites }
    set { loginBook.tokenWrites = newValue }
  }

  /// The token, by the number of its writing, of which a load was answered that it is not good, and for which that was said; nil: none.
  public var refusedToken: Int? {
    get { rest.value.login.refusedToken }
    set { loginBook.refusedToken = newValue }
  }

  /// When the app left the foreground, milliseconds since 1970; `nil` if it is in the foreground, or unknown.
  public var leftForeground: WideInt? {
    get { rest.value.leftForeground }
    _modify { yield &rest.value.leftForeground }
  }

  /// The values of the environment variables that the definition names, secrets excepted, as they were at creation.
  public var environment: [String: String] {
    get { rest.value.environment }
    _modify { yield &rest.value.environment }
  }

  /// Whether the service does not send this session's requests: they end by `Command.answer`, or at their deadline.
  public var manualRequests: Bool {
    get { rest.value.manualRequests }
    _modify { yield &rest.value.manualRequests }
  }
}

extension State: Hashable {
  public static func == (one: State, other: State) -> Bool {
    one.revision == other.revision && one.isEqualBesideNodes(to: other) && one.nodes == other.nodes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(revision)
    hasher.combine(nextNode)
  }

  /// The same in all but the nodes and the revision.
  func isEqualBesideNodes(to other: State) -> Bool {
    nextNode == other.nextNode && manualTime == other.manualTime
      && root == other.root && (rest.isIdentical(to: other.rest) || rest.value == other.rest.value)
  }
}
