public import CairnCore
import Foundation

/// A session whose actions are shown before the service has responded.
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
  /// The hash of the definition of the shown tree, by which actions are predicted and posted.
  var definition: String
  /// The tree to show: the confirmed tree with the unconfirmed actions applied.
  public internal(set) var tree: Tree
  /// Whether the service could not be reached when an action was last sent.
  public internal(set) var isOffline = false

  /// The actions that the service has not answered, in order.
  var queue: [QueuedAction] = []
  var nextNumber = 1
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
  /// Readings without a replica are numbered in the order of their beginnings, because they may end in another order. These are the numbers
  /// of the newest reading that has begun, and of the newest reading whose tree is shown.
  var beganReading = 0
  var shownReading = 0
  var isStreaming = false
  /// The task that reads the session's stream; `nil` after an error that another attempt would not fix, until the next response starts a
  /// new task.
  var listening: Task<Void, Never>?
  private(set) var isClosed = false
  /// The task that ends the wait of steps for an unpredictable action; `nil` if no step waits.
  var patience: Task<Void, Never>?

  private var shownListeners: [UUID: AsyncStream<ShownUpdate>.Continuation] = [:]
  private var rejectedListeners: [UUID: AsyncStream<RejectedAction>.Continuation] = [:]

  init(_ session: SessionClient, client: String, _ reading: ReplicaReading, _ replica: Replica, now: @escaping @Sendable () -> Int) {
    self.session = session
    self.client = client
    self.now = now
    self.replica = replica
    definition = reading.definition
    tree = replica.tree
  }

  deinit {
    listening?.cancel()
    patience?.cancel()
    for listener in shownListeners.values { listener.finish() }
    for listener in rejectedListeners.values { listener.finish() }
  }

  /// The current shown tree, and the tree after each change of it.
  public var updates: AsyncStream<ShownUpdate> {
    let (stream, listener) = AsyncStream.makeStream(of: ShownUpdate.self)
    listener.yield(ShownUpdate(tree: tree, revision: replica?.revision ?? 0))
    guard !isClosed else {
      listener.finish()
      return stream
    }
    let id = UUID()
    shownListeners[id] = listener
    listener.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
    return stream
  }

  /// The actions that the service refuses after this call.
  public var rejected: AsyncStream<RejectedAction> {
    let (stream, listener) = AsyncStream.makeStream(of: RejectedAction.self)
    guard !isClosed else {
      listener.finish()
      return stream
    }
    let id = UUID()
    rejectedListeners[id] = listener
    listener.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
    return stream
  }

  private func forget(_ id: UUID) {
    shownListeners[id] = nil
    rejectedListeners[id] = nil
  }

  /// Stops following the session. Unanswered actions are still sent.
  public func close() {
    isClosed = true
    listening?.cancel()
    for listener in shownListeners.values { listener.finish() }
    for listener in rejectedListeners.values { listener.finish() }
  }

  // MARK: the shown tree

  /// Reports an update of the replica to the subscribers, unless the update is empty.
  func show(_ update: ReplicaUpdate, exits: Bool = false) {
    endPatience()
    guard let replica, exits || !update.changes.isEmpty || !update.renamed.isEmpty else { return }
    show(ShownUpdate(tree: replica.tree, revision: replica.revision, renamed: update.renamed, changes: update.changes, exits: exits))
  }

  func show(_ update: ShownUpdate) {
    guard update.changes != nil || update.tree != tree else { return }
    tree = update.tree
    for listener in shownListeners.values { listener.yield(update) }
  }

  func report(_ rejected: RejectedAction) { for listener in rejectedListeners.values { listener.yield(rejected) } }
}

extension SessionClient {
  /// Starts predicting the session's actions. Returns `nil` if the service's setting `predict` does not list the app, or if the formats of this client and the
  /// service differ.
  public func predicting() async throws(ClientError) -> PredictedSession? {
    try await predicting { Int(Date().timeIntervalSince1970 * 1_000) }
  }

  /// Starts predicting. `now` returns the client's time in milliseconds since 1970. Returns `nil` if the session cannot be predicted.
  package func predicting(now: @escaping @Sendable () -> Int) async throws(ClientError) -> PredictedSession? {
    let client = NumberedPosts.newClient()
    guard let (reading, replica) = try await ReplicaReading.begin(self, client: client) else { return nil }
    let predicted = PredictedSession(self, client: client, reading, replica, now: now)
    await predicted.listen(after: reading.revision)
    return predicted
  }
}
