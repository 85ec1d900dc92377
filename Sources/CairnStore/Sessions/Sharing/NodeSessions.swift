import CairnJournal
import CairnRuntime

/// The access of a node to the committed sessions. The node either is their only user (`OwnSessions`), or shares them with other nodes
/// (`SharedSessions`). The choice is made once, when the store is created.
protocol NodeSessions: Sendable {
  // MARK: reading, any thread but the writer's

  /// The newest committed session; `nil` if it does not exist.
  func newest(_ id: String) throws(JournalError) -> Session?
  /// The newest committed session if `opens` accepts the hash of its secret, otherwise `nil`. The hash is read from the journal even if the
  /// session is in memory. `opens` receives `nil` if the session does not exist.
  func newest(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> Session?
  /// The session in memory if it is certainly the newest one; `nil` if it must be read.
  func current(_ id: String) -> Session?
  /// Checks whether the session in memory is still the newest in the journal. Replies later, on another thread, with the newest session, or
  /// with `nil` if the session must be read completely. Returns `false`, and does not reply, if the session is not in memory or `opens`
  /// rejects the hash of its secret. In this case, the caller must read the session.
  func confirm(_ id: String, opens: (_ secretHash: [UInt8]) -> Bool, _ reply: @escaping Reply<Session?>) -> Bool
  /// Reads sessions in one step. Sessions that are missing in the result must be read one by one.
  func read(_ ids: [String]) -> [String: Session]

  // MARK: writing, on the writer's thread

  /// Whether sessions in memory may be outdated, so that the commit must check whether a request was run on the newest state.
  var commitDecides: Bool { get }
  /// Returns the newest committed session before one of its effects is run; `nil` if the session does not exist.
  func newestForEffects(_ id: String) throws(JournalError) -> Session?
  /// Reads the sessions that the next batch needs, if they are not in memory or another node may have changed them.
  func prepare(for jobs: [any Job])
  func prepare(_ sessions: [String])
  /// Reads the newest states of sessions into memory.
  func refresh(_ sessions: [String])
  /// Records that a batch has read a session, so that the commit checks its version if other nodes write too.
  func noteRead(_ staged: Staged, in batch: inout Batch)
  /// The contents of the commit for a batch; `nil` if the batch needs no commit. `kept` contains the hashes of definitions that are
  /// certainly in the journal.
  func write(_ batch: Batch, kept: Set<String>, at clock: any Clock) -> JournalBatch?
  /// The sessions of a commit that were not written because another node had changed them.
  func conflicts(in faults: [String: JournalError]) -> Set<String>
  /// The time at which this node next tries to claim the effects of stopped nodes; `nil` if no other node uses the journal. `lease` is in
  /// milliseconds.
  func nextClaim(after now: Int, lease: Int) -> Int?

  // MARK: background

  /// Starts and stops the thread that compares sessions with the journal. Both do nothing if no other node uses the journal.
  func start() throws(ThreadError)
  func stop()
  /// The number of sessions in the journal; `nil` if only this node creates and deletes sessions, and therefore counts them itself.
  func count() throws(JournalError) -> Int?
  /// The interval at which the node reads the rollouts that other nodes have stored; `nil` if there are no other nodes.
  var lookInterval: Duration? { get }
  /// The pause between the checks of two sessions for damage, in milliseconds. `setting` is `StoreLimits.sampling`.
  func samplingPause(_ setting: Int) -> Int
}
