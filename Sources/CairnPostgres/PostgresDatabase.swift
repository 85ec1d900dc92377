import CairnCore
import CairnCrypto
import CairnJournal
import CairnRuntime

/// The connections to a database, with the data that the parts of the journal share. Can be used on any thread.
final class PostgresDatabase: Sendable {
  let target: PostgresTarget
  let secrets: SecretBox
  let hashKey: SipHash.Key
  let pool: ConnectionPool
  let lockWaits: LockWaits
  /// The writer's connection and its state.
  let writing: Lock<Writing>
  /// The first run of this process. The effects that this process begins or takes over belong to this run.
  let node: Int
  let version: String
  /// The numbers and counts of the sessions that this node has read or written most recently, by the sessions' ids.
  let known = Lock(RecentlyUsed<String, KnownSession>(limit: 100_000))
  /// Empty node tables with the names of a definition, by the definition's hash, for the sessions that are read.
  let tables = Lock(RecentlyUsed<String, NodeTable>(limit: 32 << 20))

  /// The state of the writer. Used by the writer's thread, except for `close`.
  struct Writing {
    let connection: PostgresConnection
    /// Whether the run is registered in `nodes`.
    var isRegistered = true
    /// Whether the writer runs requests of a session that is held by the connection `holder` of `PostgresWriter`.
    var isHolding = false
    /// The random id of the process's current run, and the number of its next commit. A run numbers its commits without gaps.
    var run: Int
    var number = 1
    /// The earlier runs of this process, each with the number of its last certain commit.
    var former: [Int: Int] = [:]
    var isClosed = false

    static func randomRun() -> Int { Int.random(in: 1 ... .max) }

    /// Begins a new run for later commits, because the result of the last commit is unknown.
    mutating func abandonRun() {
      former[run] = number - 1
      (run, number, isRegistered) = (Self.randomRun(), 1, false)
    }
  }

  /// The connection of a statement: one of the readers' connections, or the writer's connection.
  enum Lane { case reader, writer }

  /// The usual time limit of operations other than a read or a commit of the writer.
  static let timeout = Duration.seconds(10)

  init(
    _ target: PostgresTarget, _ secrets: SecretBox, _ hashKey: SipHash.Key, _ pool: ConnectionPool, _ lockWaits: LockWaits,
    _ writing: Lock<Writing>, node: Int, version: String
  ) {
    self.target = target
    self.secrets = secrets
    self.hashKey = hashKey
    self.pool = pool
    self.lockWaits = lockWaits
    self.writing = writing
    self.node = node
    self.version = version
  }

  /// Runs a statement on a connection of the lane. A repetition of the statement must be harmless.
  func run<Result>(
    on lane: Lane, _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result
  ) throws(JournalError) -> Result {
    switch lane {
    case .reader: try read(work)
    case .writer: try write(work)
    }
  }

  /// Runs statements on one of the readers' connections. If the connection was lost, runs them once more.
  func read<Result>(
    for timeout: Duration = ConnectionPool.timeout,
    _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result
  ) throws(JournalError) -> Result {
    do throws(PostgresError) {
      return try pool.read(for: timeout, work)
    } catch {
      throw JournalError(error)
    }
  }

  /// Runs a statement on the writer's connection, and repeats it once if the connection was lost or the error is temporary, except after a wait for a lock. A
  /// repetition of the statement must be harmless.
  func write<Result>(_ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result) throws(JournalError) -> Result {
    try writing.withLock { writing throws(JournalError) in
      guard !writing.isClosed else { throw .closed }
      let deadline = Monotonic.deadline(after: Self.timeout)
      let wasOpen = writing.connection.isOpen
      do throws(PostgresError) {
        try lockWaits.check()
        do throws(PostgresError) {
          return try work(writing.connection, deadline)
        } catch {
          guard error.isTemporary && !error.isOfLock || wasOpen && error.isOfConnection else { throw error }
          return try work(writing.connection, deadline)
        }
      } catch {
        throw JournalError(lockWaits.ended(error))
      }
    }
  }

  /// The first row of a statement with one text as its parameter; `nil` if there are no rows.
  func row(_ statement: String, _ value: String) throws(JournalError) -> PostgresResult.Row? {
    var parameters = Parameters()
    _ = parameters.add(value)
    return try read { (connection, deadline) throws(PostgresError) in try connection.run(statement, parameters, until: deadline).first }
  }
}
