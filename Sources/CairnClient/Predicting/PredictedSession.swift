public import CairnCore
import Foundation

/// A session that shows the effects of its actions before the service has responded.
///
/// The shown tree is the confirmed tree with the unconfirmed actions applied. The actor runs the service's reducer in the client, posts
/// each action with a number, and applies the differences that the service sends. `SessionClient.predicting` creates a predicted session.
/// The predictions end with `close`, with the session, or when the actor is released.
public actor PredictedSession {
  /// The client of the session, for requests that are not predicted.
  public nonisolated let session: SessionClient
  /// The client's id, with which it numbers its actions.
  let client: String
  let now: @Sendable () -> Int
  /// The replica, which predicts actions; `nil` while nothing can be predicted, for example because the session's definition differs from
  /// that of the unanswered actions.
  var replica: Replica?
  /// The hash of the definition of the shown tree. Actions are predicted with this definition, and posted with this hash.
  var definition: String
  /// The replica's definition as the service sends it.
  var definitionText: [UInt8] = []
  /// The highest number of this client's actions that the confirmed state contains.
  var lastConfirmed = 0
  /// The tree to show: the confirmed tree with the unconfirmed actions applied.
  public internal(set) var tree: Tree
  /// Whether the service could not be reached by the last attempt to send an action or to follow the session.
  public internal(set) var isOffline = false

  /// The actions that the service has not answered, in order.
  var queue: [QueuedAction] = []
  var nextNumber = 1
  /// The names of nodes in the unanswered actions and in the groups.
  var names = NodeNames()
  var refused: RefusedGroups
  /// Writes the session to a file; `nil` if it is only in memory.
  let keeper: SessionKeeper?
  /// The service's key for secret params; `nil` if the app has none, or if the key is unknown.
  var sealingKey: SealingKey?
  /// Whether the file may contain the session's secret.
  var remembersSecret: Bool
  /// Whether the user had a token when the session was last stored.
  var hadToken = false
  /// Whether the session has changed since it was last stored.
  var isUnsaved = false
  /// Whether the service no longer has the session, or refuses its secret.
  var isOver = false
  var isSending = false
  /// The number of actions at the front of the queue that must be sent in separate requests.
  var alone = 0
  /// The number of failures since the last response.
  var failures = 0

  /// The entries that cannot be applied yet, by revision.
  var early: [Int: (difference: [UInt8], number: Int?)] = [:]
  var isReading = false
  /// Whether the state must be read again because a reading failed.
  var needsReading = false
  /// Whether the next state that is read replaces the current one even if its revision is not newer, because the service may have been
  /// restored from a backup.
  var wasReset = false
  /// The highest revision of the entries that arrived while there was no replica.
  var newest = 0
  /// Readings without a replica are numbered in the order in which they begin, because they may end in another order. `beganReading` is the
  /// number of the newest reading that has begun, and `shownReading` that of the newest reading whose tree is shown.
  var beganReading = 0
  var shownReading = 0
  var isStreaming = false
  /// The task that reads the session's stream; `nil` after an error that another attempt would not fix, until the next response starts a
  /// new task.
  var listening: Task<Void, Never>?
  private(set) var isClosed = false
  /// The task that ends the wait of steps for an unpredictable action; `nil` if no step waits.
  var patience: Task<Void, Never>?
  var timers = WaitingTimers()
  var contact = Contact()

  private let shownListeners = Subscribers<ShownUpdate>()
  let rejectedListeners = Subscribers<RejectedAction>()

  init(
    _ session: SessionClient, client: String, tree: Tree, definition: String, _ keeper: SessionKeeper?, now: @escaping @Sendable () -> Int
  ) {
    self.session = session
    self.client = client
    self.now = now
    self.tree = tree
    self.definition = definition
    self.keeper = keeper
    remembersSecret = keeper?.keeping.remembersSecret == true
    refused = RefusedGroups(session: session.id, client: client)
  }

  deinit {
    listening?.cancel()
    patience?.cancel()
    timers.close()
  }

  /// A sequence of shown trees: the current one, then the tree after each change.
  public var updates: AsyncStream<ShownUpdate> {
    shownListeners.subscribe(first: ShownUpdate(tree: tree, revision: replica?.revision ?? 0))
  }

  /// A sequence of the actions that the service refuses from now on. Actions that it has refused before are in `groups`.
  public var rejected: AsyncStream<RejectedAction> { rejectedListeners.subscribe() }

  /// Stops following the session, and ends the sequences of updates and refusals. Unanswered actions are still sent.
  public func close() {
    isClosed = true
    listening?.cancel()
    timers.close()
    shownListeners.finish()
    rejectedListeners.finish()
  }

  // MARK: the shown tree

  /// Reports an update of the replica to the subscribers, unless the update is empty.
  func show(_ update: ReplicaUpdate, exits: Bool = false) {
    if replica?.isHeldUp != true {
      // No step waits for an unpredictable action.
      patience?.cancel()
      patience = nil
    }
    names.rename(update.renamed)
    WaitingTimers.follow(self)
    guard let replica, exits || !update.changes.isEmpty || !update.renamed.isEmpty else { return }
    show(ShownUpdate(tree: replica.tree, revision: replica.revision, renamed: update.renamed, changes: update.changes, exits: exits))
  }

  func show(_ update: ShownUpdate) {
    guard update.changes != nil || update.tree != tree else { return }
    tree = update.tree
    shownListeners.send(update)
  }
}

extension SessionClient {
  /// Starts predicting the session's actions, and keeps the session in a file unless `keeping` is `nil`. If the file has the session's
  /// state, predictions begin without the service. Returns `nil` if the service's setting `predict` does not list the app, or if the
  /// formats of this client and the service differ. In these cases the file is unchanged.
  public func predicting(_ keeping: SessionKeeping? = nil) async throws(ClientError) -> PredictedSession? {
    try await predicting(keeping) { Int(Date().timeIntervalSince1970 * 1_000) }
  }

  /// Starts predicting. `now` returns the client's time in milliseconds since 1970. Returns `nil` if the session cannot be predicted.
  package func predicting(_ keeping: SessionKeeping? = nil, now: @escaping @Sendable () -> Int) async throws(ClientError)
    -> PredictedSession?
  {
    let kept = keeping.flatMap { KeptSession.read($0, of: self, now: now()) }
    let client = kept?.client ?? NumberedPosts.newClient()
    let keeper = keeping.map { SessionKeeper($0) }
    let predicted: PredictedSession
    if let kept, let state = kept.replica, let replica = state.resumed {
      predicted = PredictedSession(self, client: client, tree: replica.tree, definition: state.definition, keeper, now: now)
      await predicted.begin(kept, replica, state.text, last: state.last)
    } else {
      guard let (reading, replica) = try await ReplicaReading.begin(self, client: client) else { return nil }
      predicted = PredictedSession(self, client: client, tree: replica.tree, definition: reading.definition, keeper, now: now)
      await predicted.begin(kept, replica, reading.text, last: reading.last, sealing: SealingKey(reading.sealingKey, at: now()))
    }
    return predicted
  }
}

extension CairnClient {
  /// Continues the session of a file that was written with `remembersSecret`, without the service if the file has the session's state. Returns `nil` if the
  /// file has no secret, or if the session cannot be predicted.
  public func resume(_ keeping: SessionKeeping) async throws(ClientError) -> PredictedSession? {
    guard let kept = KeptSession.read(SessionKeeping(file: keeping.file)), kept.service == address, let secret = kept.secret else {
      return nil
    }
    return try await connect(id: kept.id, secret: secret).predicting(keeping)
  }
}
