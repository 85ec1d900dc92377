import CairnCore
import CairnMigrations
import CairnRuntime
import CairnCrypto
package import CairnJournal
import Foundation

/// The journal in a schema of a PostgreSQL database, which several nodes share. Thread-safe. Each commit is one statement and one
/// transaction. The statement compares the version of each session, writes only the sessions whose version matches, and returns the written
/// sessions. See decision 17.
package final class PostgresJournal: Journal {
  let database: PostgresDatabase
  package let writer: any JournalWriter
  package let sessions: any SessionJournal
  package let history: any EntryJournal
  package let answers: any AnswerJournal
  package let documents: any DocumentJournal
  package let cluster: any ClusterJournal
  package let derivationKey: [UInt8]
  /// Whether this process is registered as a node in the database.
  private let isNode: Bool
  private let holder: PostgresConnection
  let housekeeping: Housekeeping
  private let signals: CommitSignals?
  private let changeDelays = Lock(Durations())
  private let list: SharedErasureList?
  private let erasures: PostgresErasures
  private let faults: BackgroundFaults
  /// The erasures that the start repeated.
  private let found = Lock(RepeatedErasures())

  /// The purpose for which a journal is opened.
  package enum Purpose: Sendable {
    /// A node. The tables are created if they do not exist.
    case service
    /// Reading only. Nothing is written, not even the registration of this process.
    case inspection
    /// Receiving a copy of another journal, whose keys the database gets. The tables are created if they do not exist.
    case copy(keys: JournalKeys)
  }

  /// Connects to the database. `keys` encrypt the secrets: each key has 32 bytes, and the newest is the first. `keys` is `nil` if secrets will not be
  /// decrypted. With `acceptsLoss`, a server without `fsync` or synchronous commits is accepted. `readers` is the number of reading threads, and `version`
  /// the program's version, for the table `nodes`. With `isSignaling`, nodes signal commits to each other by NOTIFY. A commit whose result is still unknown
  /// after `commitTimeout` is reported as uncertain.
  ///
  /// `erasures` is the database with the list of erasures; `nil` if the list is in the same database. After a restore, the first start performs the listed
  /// erasures again. `log` is called on the calling thread, and later on the journal's threads.
  package init(
    _ target: PostgresTarget, keys: [[UInt8]]?, for purpose: Purpose = .service, acceptsLoss: Bool = false, isSignaling: Bool = true,
    readers: Int = 3, version: String = "", commitTimeout: Duration = .seconds(10), erasures: PostgresTarget? = nil,
    log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(PostgresJournalError) {
    let secrets = SecretBox(keys: keys ?? [])
    let connection = PostgresConnection(target, for: "commits")
    let holder = PostgresConnection(target, for: "held")
    self.holder = holder
    let pool = ConnectionPool(target, count: readers + 2)
    let faults = BackgroundFaults(log)
    self.faults = faults
    let listTarget = (erasures ?? target).forErasures
    let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
    let found: JournalKeys
    do throws(PostgresError) {
      if case .inspection = purpose {
        try Schema.checkFormat(try Schema.applied(connection, target, until: deadline), isComplete: true)
      } else {
        try Self.check(connection, target, acceptsLoss: acceptsLoss, until: deadline)
        try Schema.migrate(connection, target, until: deadline)
      }
      found = try JournalKeys.read(connection, keys == nil ? nil : secrets, for: purpose, until: deadline)
    } catch {
      throw PostgresJournalError(error, target)
    }
    derivationKey = found.derivation
    if case .copy = purpose { list = nil } else { list = SharedErasureList(listTarget, journal: PostgresErasures.listName(found.hash)) }
    let lockWaits = LockWaits(pool)
    for connection in [connection, holder] { connection.whenSlow = { lockWaits.look(for: $0) } }
    let node = PostgresDatabase.Writing.randomRun()
    let writing = Lock(PostgresDatabase.Writing(connection: connection, run: node))
    database = PostgresDatabase(
      target, secrets, SipHash.Key(found.hash), pool, lockWaits, writing, node: node, version: version)
    housekeeping = Housekeeping(target, version: version, node: node, faults) { writing.withLock { $0.run } }
    if case .service = purpose, isSignaling { signals = CommitSignals(target, faults) } else { signals = nil }
    let cluster = PostgresCluster(database: database, signals: signals, changeDelays: changeDelays)
    let writer = PostgresWriter(cluster, CommitErasures(list: list, faults: faults), holder: holder, commitTimeout: commitTimeout)
    self.cluster = cluster
    self.writer = writer
    sessions = PostgresSessions(database)
    history = PostgresHistory(database: database)
    answers = PostgresAnswers(database: database, lane: .reader)
    documents = PostgresDocuments(database: database)
    self.erasures = PostgresErasures(writer, list, log)
    if case .inspection = purpose {
      isNode = false
      return
    }
    isNode = true
    do throws(PostgresError) {
      try PostgresCluster.register(node, version, connection, until: deadline)
    } catch {
      throw PostgresJournalError(error, target)
    }
    if case .service = purpose { try beginList(listTarget, until: deadline) }
    do {
      try housekeeping.start { [weak repetition = self.erasures] () throws(JournalError) in _ = try repetition?.repeatErasures() }
    } catch {
      throw .notOpened(database: target.name, reason: "no thread can be created")
    }
  }

  /// Creates the list of erasures unless it exists, and repeats the erasures that a restore has undone. Called before the journal is used.
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
      throw .notOpened(database: database.target.name, reason: "\(error)")
    }
  }

  /// Repeats the erasures that a restore has undone, as the start of a node does. Returns the repeated erasures.
  package static func repeatErasures(
    _ target: PostgresTarget, keys: [[UInt8]], erasures: PostgresTarget?
  ) throws(PostgresJournalError) -> RepeatedErasures {
    let journal = try PostgresJournal(target, keys: keys, acceptsLoss: true, isSignaling: false, erasures: erasures)
    defer { journal.close() }
    return journal.found.withLock { $0 }
  }

  /// Describes the database for a check before a start. Throws if one of the two databases cannot be reached, or if the settings, the
  /// version or the tables of the journal's database prevent a start. Creates nothing.
  package static func outlook(
    _ target: PostgresTarget, erasures: PostgresTarget?, acceptsLoss: Bool
  ) throws(PostgresJournalError) -> String {
    if let erasures { try reach(erasures) }
    let connection = PostgresConnection(target, for: "check")
    defer { connection.close() }
    let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
    do throws(PostgresError) {
      try check(connection, target, acceptsLoss: acceptsLoss, until: deadline)
      let tables = try Schema.applied(connection, target, until: deadline)
      try Schema.checkFormat(tables)
      try Schema.checkForms(tables, connection, until: deadline)
      return tables == 0 ? "the start would create its tables" : "its tables exist"
    } catch {
      throw PostgresJournalError(error, target)
    }
  }

  /// Throws if a database cannot be reached.
  private static func reach(_ target: PostgresTarget) throws(PostgresJournalError) {
    let connection = PostgresConnection(target, for: "check")
    defer { connection.close() }
    do throws(PostgresError) {
      _ = try connection.run("SELECT 1", until: Monotonic.deadline(after: PostgresDatabase.timeout))
    } catch {
      throw PostgresJournalError(error, target)
    }
  }

  package var hashKey: SipHash.Key { database.hashKey }

  package var figures: JournalFigures {
    var figures = JournalFigures()
    (figures.connections, figures.connects) = database.target.connections.counts
    figures.changeDelays = changeDelays.withLock { $0 }
    figures.oldestEffectAge = housekeeping.oldestEffectAge
    figures.backgroundFaults = faults.counts
    figures.isListening = signals?.isListening
    (figures.losses, figures.repeatedErasures) = erasures.counts
    return figures
  }

  /// Repeats the listed erasures that the journal lacks. Can be called on any thread except the writer's.
  @discardableResult package func repeatErasures() throws(JournalError) -> RepeatedErasures { try erasures.repeatErasures() }

  /// The erasures that `repeatErasures` would repeat. This function changes nothing.
  package func outstandingErasures() throws(JournalError) -> RepeatedErasures { try erasures.outstandingErasures() }

  package func close() {
    housekeeping.stop()
    signals?.stop()
    // Processes the list of erasures once more. After commits, this stores a new mark, so that a later restore of an older backup is detected.
    if isNode, list != nil { _ = faults.attempt(.erasure) { () throws(JournalError) in try repeatErasures() } }
    database.writing.withLock { writing in
      if isNode, !writing.isClosed {
        // If this fails, other nodes take over when the leases have ended.
        try? PostgresCluster.release(
          database.node, [writing.run] + writing.former.keys, writing.connection, until: Monotonic.deadline(after: ConnectionPool.timeout))
      }
      writing.isClosed = true
      writing.connection.close()
      holder.close()
    }
    list?.close()
    database.pool.close()
  }

  /// Throws if the server is older than PostgreSQL 14 or is a standby. Without `acceptsLoss`, also throws if `fsync` or `synchronous_commit` is off, because
  /// the server can then lose acknowledged data.
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
      throw PostgresError(.unsuitable, "the server is PostgreSQL \(row.text(4)); Cairn needs version 14 or newer")
    }
    guard !row.bool(3) else {
      throw PostgresError(.unsuitable, "the server is a standby, which accepts no writes; connect to the primary")
    }
    for (name, value) in [("fsync", row.text(1)), ("synchronous_commit", row.text(2))] where value == "off" && !acceptsLoss {
      throw PostgresError(
        .unsuitable,
        "the server has \(name)=off, so it can lose acknowledged actions; set \(name)=on, or accept the loss with --accept-loss")
    }
  }
}
