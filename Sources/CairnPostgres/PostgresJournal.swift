import CairnCore
import CairnMigrations
package import CairnRuntime
import CairnCrypto
package import CairnStore
import Foundation

/// The journal in a schema of a PostgreSQL database, which several nodes share. Any thread.
///
/// Each commit is one statement and one transaction. It compares the version of each session and writes only what still fits; the rows that come
/// back are what was committed. See decision 17.
package final class PostgresJournal: Journal {
  package let isExclusive = false
  let target: PostgresTarget
  let secrets: SecretBox
  package let derivationKey: [UInt8]
  package let hashKey: SipHash.Key
  let pool: ConnectionPool
  let lockWaits: LockWaits
  /// The writer's connection and what belongs to it.
  let writing: Lock<Writing>
  /// The connection that holds a session. Used by the writer's thread only.
  let holder: PostgresConnection
  /// The sessions that this node has read or written, by their ids.
  let known = Lock(RecentlyUsed<String, KnownSession>(limit: 100_000))
  /// The first run of this process. Effects that it begins or takes over belong to it.
  let node: Int
  let version: String
  /// Whether the database knows this process as a node.
  private let isNode: Bool
  let housekeeping: Housekeeping
  /// `nil` if nodes only poll.
  let signals: CommitSignals?
  /// The durations from other nodes' commits until this node read them. Only measured while it has subscribers.
  let changeDelays = Lock(Durations())
  /// The list of erasures; `nil` for a copy.
  let erasures: SharedErasureList?
  let faults: BackgroundFaults
  let log: @Sendable (StoreEvent) -> Void
  /// How often the database was older than it was, and the number of erasures that were repeated.
  let counts = Lock((losses: 0, repeated: 0))
  /// The result of the look at the list of erasures at the start.
  private let found = Lock(RepeatedErasures())
  /// The time of the newest commit of any node at the last look at the list of erasures.
  let lastChange = Lock(0)
  /// Empty node tables with the names of a definition, by the definition's hash, for the sessions that are read.
  let tables = Lock(RecentlyUsed<String, NodeTable>(limit: 32 << 20))

  /// The state of the writer. Used by the writer's thread, except for `close`.
  struct Writing {
    let connection: PostgresConnection
    /// Whether the run is registered in `nodes`.
    var isRegistered = true
    /// Whether the writer runs requests of a session that `holder` holds.
    var isHolding = false
    /// The name of this run of the node, and the number of its next commit.
    var run: Int
    var number = 1
    /// The earlier runs of this process, each with the number of its last certain commit.
    var former: [Int: Int] = [:]
    var isClosed = false

    static func randomRun() -> Int { Int.random(in: 1 ... .max) }

    /// Names further commits by another run, because it is unknown whether the last one happened.
    mutating func abandonRun() {
      former[run] = number - 1
      (run, number, isRegistered) = (Self.randomRun(), 1, false)
    }
  }

  /// The time for which a commit whose answer was lost is looked up and repeated.
  let commitTimeout: Duration
  /// The time for which other work may wait for the database.
  static let timeout = Duration.seconds(10)

  /// The purpose for which a journal is opened.
  package enum Purpose: Sendable {
    /// A node. The tables are created if they do not exist.
    case service
    /// Reading only. Nothing is written, not even that this process runs.
    case inspection
    /// A copy of another journal, whose keys it gets. The tables are created if they do not exist.
    case copy(keys: JournalKeys)
  }

  /// Connects. `keys` encrypt the secrets; they have 32 bytes each, the newest first; `nil` if secrets will not be decrypted. `readers` is the number of
  /// reading threads, and `version` that of the program, for `nodes`. `isSignaling` lets nodes tell each other of commits with NOTIFY. A commit whose
  /// result is not known after `commitTimeout` is reported as uncertain. `erasures` is the database with the list of erasures; `nil` for the same one.
  /// After a restore a start repeats what is on the list. `log` is called on the journal's threads.
  package init(
    _ target: PostgresTarget, keys: [[UInt8]]?, for purpose: Purpose = .service, acceptsLoss: Bool = false, isSignaling: Bool = true,
    readers: Int = 3, version: String = "", commitTimeout: Duration = .seconds(10), erasures: PostgresTarget? = nil,
    log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(PostgresJournalError) {
    self.target = target
    self.commitTimeout = commitTimeout
    secrets = SecretBox(keys: keys ?? [])
    let connection = PostgresConnection(target, for: "commits")
    let held = PostgresConnection(target, for: "held")
    holder = held
    pool = ConnectionPool(target, count: readers + 2)
    self.log = log
    faults = BackgroundFaults(log)
    let list = (erasures ?? target).forErasures
    let deadline = Monotonic.deadline(after: Self.timeout)
    do throws(PostgresError) {
      if case .inspection = purpose {
        try Schema.checkFormat(try Schema.applied(connection, target, until: deadline), isComplete: true)
      } else {
        try Self.check(connection, target, acceptsLoss: acceptsLoss, until: deadline)
        try Schema.migrate(connection, target, until: deadline)
      }
      let found = try JournalKeys.read(connection, keys == nil ? nil : secrets, for: purpose, until: deadline)
      (derivationKey, hashKey) = (found.derivation, SipHash.Key(found.hash))
      if case .copy = purpose { self.erasures = nil } else { self.erasures = SharedErasureList(list, journal: Self.listName(found.hash)) }
    } catch {
      throw PostgresJournalError(error, target)
    }
    let lockWaits = LockWaits(pool)
    self.lockWaits = lockWaits
    for connection in [connection, held] { connection.whenSlow = { lockWaits.look(for: $0) } }
    self.version = version
    let node = Writing.randomRun()
    self.node = node
    let writing = Lock(Writing(connection: connection, run: node))
    self.writing = writing
    housekeeping = Housekeeping(target, version: version, node: node, faults) { writing.withLock { $0.run } }
    if case .service = purpose, isSignaling { signals = CommitSignals(target, faults) } else { signals = nil }
    if case .inspection = purpose {
      isNode = false
      return
    }
    isNode = true
    do throws(PostgresError) {
      try Self.register(node, version, connection, until: deadline)
    } catch {
      throw PostgresJournalError(error, target)
    }
    if case .service = purpose { try beginList(list, until: deadline) }
    do {
      try housekeeping.start { [weak self] () throws(JournalError) in _ = try self?.repeatErasures() }
    } catch {
      throw .notOpened(database: target.name, reason: "the system provides no thread")
    }
  }

  /// Creates the list of erasures unless it exists, and repeats what a restore has brought back, before anything is served.
  private func beginList(_ list: PostgresTarget, until deadline: UInt64) throws(PostgresJournalError) {
    do throws(PostgresError) {
      try SharedErasureList.create(list, until: deadline)
    } catch {
      throw PostgresJournalError(error, list)
    }
    do throws(JournalError) {
      let repeated = try repeatErasures()
      found.withLock { $0 = repeated }
    } catch {
      throw .notOpened(database: target.name, reason: "\(error)")
    }
  }

  /// Repeats what a restore has brought back, as a start of a node does.
  package static func repeatErasures(
    _ target: PostgresTarget, keys: [[UInt8]], erasures: PostgresTarget?
  ) throws(PostgresJournalError) -> RepeatedErasures {
    let journal = try PostgresJournal(target, keys: keys, acceptsLoss: true, isSignaling: false, erasures: erasures)
    defer { journal.close() }
    return journal.found.withLock { $0 }
  }

  /// A description of the database for a check before a start. Throws if a start would fail. Creates nothing.
  package static func outlook(
    _ target: PostgresTarget, erasures: PostgresTarget?, acceptsLoss: Bool
  ) throws(PostgresJournalError) -> String {
    if let erasures { try reach(erasures) }
    let connection = PostgresConnection(target, for: "check")
    defer { connection.close() }
    let deadline = Monotonic.deadline(after: timeout)
    do throws(PostgresError) {
      try check(connection, target, acceptsLoss: acceptsLoss, until: deadline)
      let tables = try Schema.applied(connection, target, until: deadline)
      try Schema.checkFormat(tables)
      try Schema.checkForms(tables, connection, until: deadline)
      return tables == 0 ? "its tables would be created" : "its tables exist"
    } catch {
      throw PostgresJournalError(error, target)
    }
  }

  /// Throws if a database cannot be reached.
  private static func reach(_ target: PostgresTarget) throws(PostgresJournalError) {
    let connection = PostgresConnection(target, for: "check")
    defer { connection.close() }
    do throws(PostgresError) {
      _ = try connection.run("SELECT 1", until: Monotonic.deadline(after: timeout))
    } catch {
      throw PostgresJournalError(error, target)
    }
  }

  package var figures: JournalFigures {
    var figures = JournalFigures()
    (figures.connections, figures.connects) = target.connections.counts
    figures.changeDelays = changeDelays.withLock { $0 }
    figures.oldestEffectAge = housekeeping.oldestEffectAge
    figures.backgroundFaults = faults.counts
    figures.isListening = signals?.isListening
    (figures.losses, figures.repeatedErasures) = counts.withLock { ($0.losses, $0.repeated) }
    return figures
  }

  package func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError) { try signals?.start(wake) }

  package func close() {
    housekeeping.stop()
    signals?.stop()
    // A restore of a backup from before the last commits is then noticed.
    if isNode, erasures != nil { _ = faults.attempt(.erasure) { () throws(JournalError) in try repeatErasures() } }
    writing.withLock { writing in
      if isNode, !writing.isClosed {
        // Without it other nodes wait until the lease ends.
        try? Self.release(
          node, [writing.run] + writing.former.keys, writing.connection, until: Monotonic.deadline(after: ConnectionPool.timeout))
      }
      writing.isClosed = true
      writing.connection.close()
      holder.close()
    }
    erasures?.close()
    pool.close()
  }

  package func expect(_ definition: PinnedDefinition) {
    let table = definition.reducer.emptyTable
    tables.withLock { $0.keep(table, for: definition.hash, weight: definition.text.utf8.count) }
  }

  package func probe() throws(JournalError) {
    try write { (connection, deadline) throws(PostgresError) in
      var parameters = Parameters()
      let value = parameters.add(Array(UUID().uuidString.utf8))
      _ = try connection.run(
        "INSERT INTO @settings (name, value) VALUES ('probe', \(value)) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        parameters,
        until: deadline)
    }
  }

  /// Registers the run before its first commit.
  func registerRun(_ writing: inout Writing, until deadline: UInt64) throws(PostgresError) {
    guard !writing.isRegistered else { return }
    try Self.register(writing.run, version, writing.connection, until: deadline)
    writing.isRegistered = true
  }

  /// Runs a read on one of the readers' connections.
  func read<Result>(_ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result) throws(JournalError) -> Result {
    do throws(PostgresError) {
      return try pool.read(work)
    } catch {
      throw JournalError(error)
    }
  }

  /// Runs a statement on the writer's connection that may be repeated without harm.
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

  /// Checks what the server promises. Without `fsync` and synchronous commits it can lose what it has acknowledged.
  private static func check(
    _ connection: PostgresConnection, _ target: PostgresTarget, acceptsLoss: Bool, until deadline: UInt64
  ) throws(PostgresError) {
    let found = try connection.run(
      """
      SELECT current_setting('server_version_num')::integer, current_setting('fsync'), current_setting('synchronous_commit'),
        pg_is_in_recovery(), current_setting('server_version')
      """, until: deadline)
    guard let row = found.first else { throw PostgresError(text: "the server does not report its version") }
    guard row.integer(0) >= 140_000 else {
      throw PostgresError(.unsuitable, "PostgreSQL \(row.text(4)); Cairn needs 14 or newer")
    }
    guard !row.bool(3) else {
      throw PostgresError(.unsuitable, "the server is a standby, which accepts no writes")
    }
    for (name, value) in [("fsync", row.text(1)), ("synchronous_commit", row.text(2))] where value == "off" && !acceptsLoss {
      throw PostgresError(
        .unsuitable,
        "the server has \(name)=off, so it can lose acknowledged actions; set \(name)=on, or accept the loss with --accept-loss")
    }
  }
}
