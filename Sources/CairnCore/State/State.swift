/// The whole state of a session: the tree, the facts, the running effects. A value type; only the reducer creates new states.
///
/// Every action copies the state, so the parts that most actions do not change are behind one pointer.
public struct State: Sendable {
  /// The number of the newest entry: 1 after the session's creation, and higher by one after each entry that follows.
  public var revision: Int
  /// The number of the next node. Numbers are never reused.
  public var nextNode: WideInt
  public var root: NodeID
  public var nodes: NodeTable
  /// The time of a session with a manual clock, in milliseconds since 1970; `nil` if the session uses the system's clock.
  public var manualTime: WideInt?
  /// The approximate size in bytes, which may be an overestimate; `nil` until it is computed. Ignored when states are compared.
  var weight: Int?
  private var rest: Shared<Rest>

  private struct Rest: Hashable, Sendable {
    var facts: [String: Value] = [:]
    var effects = EffectBook()
    #if !CLIENT_ENGINE
      var messages = MessageBook()
      var heldActions: [HeldAction] = []
      var clients = ClientBook()
    #endif
    var listeners: [Listener] = []
    var links = LinkBook()
    var questions = QuestionBook()
    var sight = SightBook()
    var login = LoginBook()
    var leftForeground: WideInt?
    var leftForegroundByClient: WideInt?
    var environment: [String: String]
    var manualRequests = false
    var zones: [ZoneWindow] = []
  }

  /// The latest time of a manual clock in milliseconds since 1970: the end of the year 9999, the last year that RFC 3339 can represent.
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

  /// Whether the parts of the state in `Rest`, such as the facts and the effects, share their storage with those of another state. If false, they may still be
  /// equal.
  package func sharesRest(with other: State) -> Bool { rest.isIdentical(to: other.rest) }

  /// The facts. `accessToken` is `true` or absent; the token itself is stored encrypted beside the journal.
  public var facts: [String: Value] {
    get { rest.value.facts }
    _modify { yield &rest.value.facts }
  }

  var effectBook: EffectBook {
    get { rest.value.effects }
    _modify { yield &rest.value.effects }
  }

  #if !CLIENT_ENGINE
    var messageBook: MessageBook {
      get { rest.value.messages }
      _modify { yield &rest.value.messages }
    }

    /// The records of messages that have ended with a response or with an unknown outcome, in the order of the calls.
    public var endedMessages: [EndedMessage] { rest.value.messages.ended }

    /// The held actions in the order of their arrival.
    public var heldActions: [HeldAction] {
      get { rest.value.heldActions }
      _modify { yield &rest.value.heldActions }
    }

    /// Whether any action is held.
    var isHolding: Bool { !rest.value.heldActions.isEmpty }
  #endif

  var linkBook: LinkBook {
    get { rest.value.links }
    _modify { yield &rest.value.links }
  }

  var questionBook: QuestionBook {
    get { rest.value.questions }
    _modify { yield &rest.value.questions }
  }

  /// The session's question: the action that a guarded node or a closed tab has stopped; `nil` if no action waits.
  public var question: Question? { rest.value.questions.asked }

  /// Whether the session has a question.
  var isAsking: Bool { rest.value.questions.isAsking }

  var sightBook: SightBook {
    get { rest.value.sight }
    _modify { yield &rest.value.sight }
  }

  /// The nodes with `seen` or `unseen` steps that the user sees or has seen, in ascending order of ids.
  public var sightings: [Sighting] {
    get { rest.value.sight.sightings }
    set { sightBook = SightBook(sightings: newValue) }
  }

  var loginBook: LoginBook {
    get { rest.value.login }
    _modify { yield &rest.value.login }
  }

  /// The running effects in the order of their creation.
  public var effects: [Effect] {
    get { rest.value.effects.running }
    set { effectBook = EffectBook(running: newValue, next: nextEffect) }
  }

  /// The number of the next effect. Numbers are never reused.
  public var nextEffect: WideInt {
    get { rest.value.effects.next }
    set { effectBook = EffectBook(running: effects, next: newValue) }
  }

  /// Whether a repeating timer may wait while its page is covered.
  var mayHaveWaitingTicks: Bool { rest.value.effects.mayHaveWaitingTicks }

  /// Whether an effect may stop when its node is covered, or begin when its node is seen.
  var mayFollowCover: Bool { rest.value.effects.mayFollowCover }

  var hasEffects: Bool { !rest.value.effects.running.isEmpty }

  /// The removed screens whose steps are still handled.
  public var listeners: [Listener] {
    get { rest.value.listeners }
    _modify { yield &rest.value.listeners }
  }

  /// The held links in the order of their arrival.
  public var pendingLinks: [PendingLink] {
    get { rest.value.links.held }
    set { linkBook = LinkBook(held: newValue, next: nextLink) }
  }

  /// The number of the next held link, held action or waiting notification. Numbers are never reused.
  public var nextLink: WideInt {
    get { rest.value.links.next }
    set { linkBook = LinkBook(held: pendingLinks, next: newValue) }
  }

  var hasPendingLinks: Bool { !rest.value.links.held.isEmpty }

  public var login: Login {
    get { rest.value.login.login }
    set { loginBook.login = newValue }
  }

  /// The number of times that a token was written.
  public var tokenWrites: Int {
    get { rest.value.login.tokenWrites }
    set { loginBook.tokenWrites = newValue }
  }

  /// The value of `tokenWrites` for the token whose rejection was reported last; `nil` if there is none.
  public var refusedToken: Int? {
    get { rest.value.login.refusedToken }
    set { loginBook.refusedToken = newValue }
  }

  /// The time at which the app left the foreground, in milliseconds since 1970; `nil` if it is in the foreground or its state is unknown.
  public var leftForeground: WideInt? {
    get { rest.value.leftForeground }
    _modify { yield &rest.value.leftForeground }
  }

  /// The time at which the app left the foreground, by the clock of the client that has reported it; `nil` if the client gave no time.
  public var leftForegroundByClient: WideInt? {
    get { rest.value.leftForegroundByClient }
    _modify { yield &rest.value.leftForegroundByClient }
  }

  /// The environment variables that the definition names, without secrets, as they were when the session was created or moved to a definition that
  /// names them.
  public var environment: [String: String] {
    get { rest.value.environment }
    _modify { yield &rest.value.environment }
  }

  #if !CLIENT_ENGINE
    /// The clients that number their actions, each with its highest number; at most eight. The client with the newest action is last.
    public var clients: [Sender] {
      get { rest.value.clients.newest }
      set { rest.value.clients = ClientBook(newest: newValue, contacts: contacts) }
    }

    /// The contact with each client, in the order of `clients`.
    public var contacts: [ClientContact] {
      get { rest.value.clients.contacts }
      set { rest.value.clients = ClientBook(newest: clients, contacts: newValue) }
    }

    var clientBook: ClientBook {
      get { rest.value.clients }
      _modify { yield &rest.value.clients }
    }
  #endif

  /// The offsets of the time zones that the session has needed, each for the period around the time at which it was needed last.
  public var zones: [ZoneWindow] {
    get { rest.value.zones }
    set { rest.value.zones = newValue }
  }

  /// Whether the service sends none of the session's requests. They are answered by `Command.answer`, or end at their deadline.
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

  /// Whether everything except the nodes and the revision is equal.
  func isEqualBesideNodes(to other: State) -> Bool {
    nextNode == other.nextNode && manualTime == other.manualTime
      && root == other.root && (rest.isIdentical(to: other.rest) || rest.value == other.rest.value)
  }
}
