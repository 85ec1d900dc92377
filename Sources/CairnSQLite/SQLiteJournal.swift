import CairnCore
import CairnMigrations
import CairnRuntime
import CairnCrypto
package import CairnJournal
import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// The journal in a SQLite database in WAL mode with `synchronous=FULL`. It uses one connection for writes, several for reads, and one for
/// checkpoints. Thread-safe.
package final class SQLiteJournal: Journal, CopySource {
  let database: SQLiteDatabase
  let sweeper: Sweeper
  package let writer: any JournalWriter
  package let sessions: any SessionJournal
  package let history: any EntryJournal
  package let documents: any DocumentJournal
  private let storedAnswers: SQLiteAnswers
  let erasing: SQLiteErasing
  /// 32 bytes that stay the same when the keys of the database change. Only the loss of all keys replaces them (`SecretLoss`). Values that depend on a secret
  /// of the service are derived from them.
  package let derivationKey: [UInt8]
  /// The durations for which operations on the log blocked the writer.
  private let times: Lock<Durations>
  /// The disk space reserved for deletions; `nil` if the journal only reads.
  private let reserve: DiskReserve?
  private let hold: Hold?

  /// The resources of the process that owns the database. A journal that only reads has no such resources.
  private struct Hold {
    let mover: DatabaseQueue
    let keeper: Keeper
    let mark: MarkFile
    let lock: DatabaseLock
  }

  package var answers: any AnswerJournal { storedAnswers }

  package var hashKey: SipHash.Key { database.hashKey }

  package var startFault: JournalError? { hold == nil ? .readOnly : reserve?.isGivenUp == true ? .full : nil }

  /// The time for which a statement waits for a lock, in milliseconds.
  static let busyTimeout: Int32 = 5_000

  /// The version of SQLite in use, such as `3.40.1`.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// The migrations that this version knows.
  static let migrations = Migrations.all

  /// Opens a database, or creates it together with its directory. `keys` encrypt the secrets; they have 32 bytes each, the newest first. Throws an error if
  /// data was lost, unless `acceptsLoss` is set. `readers` is the number of reading threads, in addition to the writer's. `log` is called on the calling
  /// thread, and later on the sweeper's and the writer's threads.
  package convenience init(
    path: String, keys: [[UInt8]], acceptsLoss: Bool = false, readers: Int = 3, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try self.init(path: path, keys: keys, acceptsLoss: acceptsLoss, readers: readers, migrations: Self.migrations, report: log)
  }

  convenience init(
    path: String, keys: [[UInt8]], acceptsLoss: Bool = false, readers: Int = 3, migrations: [(name: String, sql: String)],
    report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try Self.makeDirectory(of: path)
    let lock = try DatabaseLock(database: path)
    do {
      try OpeningCheck(path).check(migrations)
    } catch {
      guard acceptsLoss, case .lost(_, let loss) = error else { throw error }
      report(.lossAccepted(reason: "\(loss)"))
      try OpeningCheck(path).checkFormat(migrations)
    }
    let reserve = DiskReserve(path)
    // `makeFile` closes the file, which releases all locks that SQLite holds on it in this process. The lock above ensures that no other
    // journal of this process has the file open for writing.
    try Self.makeFile(path)
    let secrets = SecretBox(keys: keys)
    do {
      // The log of a killed process may still contain data that had been erased, so the sweeper must empty it.
      let hasLog = Disk.size(of: path + "-wal") ?? 0 > 0
      let pool = try DatabasePool(path: path, configuration: Self.configuration(readers: readers + 1))
      let log = WriteLog()
      let start = try pool.writeWithoutTransaction { db in
        // The cache size in KiB, enough for the inner pages of the tables of a million sessions.
        try db.execute(sql: "PRAGMA cache_size = -16384")
        try Self.makeDurable(db, path: path)
        try MigrationRunner(path: path, migrations: migrations).run(db)
        let start = try Start(db, secrets, keys: keys, path: path)
        log.watch(db)
        return start
      }
      // The last writes of a killed process are visible now, but may not be on disk yet.
      Disk.sync(path + "-wal")
      Disk.syncDirectory(of: path)
      let mark = try MarkFile(path, DatabaseMark(id: start.id, newest: start.heads.committed, isOpen: true))
      let connections = try ReadConnections(path: path, count: readers + 1)
      let mover = try DatabaseQueue(path: path, configuration: Self.configuration(readers: 1))
      let (gate, times, staged) = (ReadGate(), Lock(Durations()), Lock<[Int: EntryChain]>([:]))
      let sweeper = Sweeper(SQLiteErasing.work(pool, mover, gate, times, staged), report)
      try sweeper.start(hasTombstones: start.hasTombstones || hasLog)
      let heads = Lock(start.heads)
      let keeper = Keeper(
        hasOldSeals: start.hasOldSeals,
        mark: {
          let newest = heads.withLock { $0.committed }
          mark.write { $0.newest = newest }
        }, reseal: Self.resealing(pool, secrets, newest: keys.first ?? []))
      do {
        try keeper.start()
      } catch {
        sweeper.stop()
        throw error
      }
      let database = SQLiteDatabase(
        pool, at: path, secrets, heads, start.hashKey, gate: gate, connections: connections, staged: staged)
      self.init(
        database, log, sweeper, times, derivationKey: start.derivationKey, erasures: ErasureList(path), reserve: reserve,
        hold: Hold(mover: mover, keeper: keeper, mark: mark, lock: lock))
      if reserve.isGivenUp { report(.reserveGivenUp) }
    } catch let error as SQLiteJournalError {
      throw error
    } catch {
      throw Self.fault(error, path: path)
    }
  }

  /// Composes the parts of a journal.
  private init(
    _ database: SQLiteDatabase, _ log: WriteLog, _ sweeper: Sweeper, _ times: Lock<Durations>, derivationKey: [UInt8],
    erasures: ErasureList?, reserve: DiskReserve?, hold: Hold?
  ) {
    self.database = database
    self.sweeper = sweeper
    self.times = times
    self.derivationKey = derivationKey
    self.reserve = reserve
    self.hold = hold
    let history = SQLiteHistory(database: database)
    let sessions = SQLiteSessions(database: database, history: history)
    let answers = SQLiteAnswers(database: database)
    erasing = SQLiteErasing(database: database, history: history, snapshots: Snapshots(database: database))
    writer = SQLiteWriter(sessions, answers, erasing, log, sweeper, times, erasures: erasures, reserve: reserve)
    self.history = history
    self.sessions = sessions
    storedAnswers = answers
    documents = SQLiteDocuments(database: database)
  }

  /// Creates a journal that only reads, for inspection or for a disk that cannot be written.
  convenience init(
    inspecting pool: DatabasePool, at path: String, _ secrets: SecretBox, _ heads: Heads, _ hashKey: SipHash.Key,
    derivationKey: [UInt8] = []
  ) {
    let database = SQLiteDatabase(pool, at: path, secrets, Lock(heads), hashKey, gate: ReadGate(), connections: nil)
    let sweeper = Sweeper(Sweeper.Work(erase: { false }, move: { nil }, empty: { false })) { _ in }
    self.init(database, WriteLog(), sweeper, Lock(Durations()), derivationKey: derivationKey, erasures: nil, reserve: nil, hold: nil)
  }

  /// The state of the database at a start.
  private struct Start {
    var id: String
    var derivationKey: [UInt8]
    var hashKey: SipHash.Key
    var heads: Heads
    var hasTombstones: Bool
    var hasOldSeals: Bool

    init(_ db: Database, _ secrets: SecretBox, keys: [[UInt8]], path: String) throws {
      hasOldSeals = try Seals.check(db, secrets, keys: keys, path: path)
      try Seals.name(hasOldSeals ? nil : keys.first.map { KeyFile.id(of: $0) }, db)
      guard let id = try OpeningCheck.id(db) else {
        throw SQLiteJournalError.corrupt(path: path, reason: "its settings are incomplete: its id is missing")
      }
      self.id = id
      derivationKey = try Seals.derivationKey(db, secrets, path: path)
      hashKey = try SettingsTable(db).hashKey()
      heads = try Heads(db, RowCheck(hashKey))
      hasTombstones = try Prepared(db, "SELECT 1 FROM tombstones UNION ALL SELECT 1 FROM forgotten LIMIT 1").row { _ in true } ?? false
    }
  }

  /// Returns a function that re-encrypts the next secrets at each call, and returns `false` if no secrets are left. If a call fails, the
  /// next call repeats its work.
  private static func resealing(_ pool: DatabasePool, _ secrets: SecretBox, newest: [UInt8]) -> @Sendable () -> Bool {
    let last = Lock((session: "", slot: 0))
    return {
      let from = last.withLock { $0 }
      do {
        guard let next = try pool.write({ db in try Seals.renew(after: from, secrets, newest: newest, db) }) else { return false }
        last.withLock { $0 = next }
      } catch {}
      return true
    }
  }

  /// Writes the remaining heads, erases the remains of deleted sessions for at most two seconds, and moves the log into the database. The next start
  /// continues the erasure.
  package func close() {
    guard let hold else { return sweeper.stop() }
    hold.keeper.stop()
    try? database.flush()
    sweeper.finish(until: Monotonic.deadline(after: .seconds(2)))
    sweeper.stop()
    database.connections?.close()
    try? hold.mover.close()
    // Uses a pragma, because GRDB's checkpoint function does not check whether the connection is already closed.
    try? database.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    // The mark is written before the log is removed. If the log were removed first, and the process ended before the mark was written, the
    // next start would report a loss.
    mark(isOpen: false)
    try? database.pool.close()
    hold.lock.release()
  }

  /// Writes the mark immediately, for a stop and for tests.
  func mark(isOpen: Bool = true) {
    let newest = database.heads.withLock { $0.committed }
    hold?.mark.write { $0 = DatabaseMark(id: $0.id, newest: newest, isOpen: isOpen) }
  }

  /// Blocks until all secrets are encrypted with the newest key, or until the deadline (`Monotonic`). Returns `false` if the deadline has
  /// passed.
  func sealed(until deadline: UInt64) -> Bool { hold?.keeper.finish(until: deadline) ?? true }

  /// The configuration of a connection that only reads and does not change the files.
  static var reading: Configuration {
    var configuration = Configuration()
    configuration.label = "cairn-reading"
    configuration.readonly = true
    configuration.busyMode = .timeout(Double(busyTimeout) / 1_000)
    return configuration
  }

  /// The configuration of the connections of a journal that writes. `readers` is the maximum number of reading connections of a pool.
  static func configuration(readers: Int) -> Configuration {
    var configuration = Configuration()
    configuration.label = "cairn"
    configuration.busyMode = .timeout(Double(busyTimeout) / 1_000)
    configuration.maximumReaderCount = readers
    configuration.prepareDatabase { db in
      // The sweeper's thread runs checkpoints, so that they do not delay a commit.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      // Deleted data is overwritten with zeros.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // This must be set before the first table is created, so that free pages can be returned to the disk (`FreePages`).
      if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
    return configuration
  }

  /// Sets `synchronous=FULL`. Must run after GRDB has switched to WAL mode, because GRDB sets NORMAL during the switch. Reads the settings
  /// back, and throws `.notDurable` if they differ.
  private static func makeDurable(_ db: Database, path: String) throws {
    try db.execute(sql: "PRAGMA synchronous = FULL")
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
    guard mode == "wal" else { throw SQLiteJournalError.notDurable(path: path, reason: "journal_mode is \(mode ?? "unknown"), not wal") }
    let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
    guard level == 2 else { throw SQLiteJournalError.notDurable(path: path, reason: "synchronous is \(level ?? -1), not 2 (FULL)") }
  }
}

extension SQLiteJournal {
  package func spentCreations() throws(JournalError) -> [SpentCreation] { try storedAnswers.spentCreations() }

  package var figures: JournalFigures {
    var figures = JournalFigures()
    (figures.isErasing, figures.erasureAge, figures.erasureFaults, figures.erasureHindrance) = sweeper.figures
    figures.checkpoints = times.withLock { $0 }
    figures.databaseBytes = Disk.size(of: database.path) ?? 0
    figures.logBytes = Disk.size(of: database.path + "-wal") ?? 0
    return figures
  }
}
