import CairnCore
import CairnMigrations
import CairnRuntime
package import CairnStore
import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// The journal in a SQLite database: WAL, `synchronous=FULL`, one connection that writes, a few that read, one that moves the log. Any thread.
package final class SQLiteJournal: Journal {
  let pool: DatabasePool
  let secrets: SecretBox
  let heads: Lock<Heads>
  let log: WriteLog
  let sweeper: Sweeper
  /// 32 bytes that are this database's for good, whatever becomes of its keys: what has to be derived from a secret of the service is
  /// derived from them.
  package let derivationKey: [UInt8]
  package let hashKey: SipHash.Key
  let check: RowCheck
  /// Tables without nodes that have the names of a definition, by its hash: what is read of its sessions shares them. Of the definitions that
  /// were used last, by the bytes of their texts.
  let tables = Lock(RecentlyUsed<String, NodeTable>(limit: 32 << 20))
  /// Rows of entries and snapshots that were read so far.
  let rowsRead = Lock(0)
  /// All readers pass it, so that no reader of this process blocks the emptying of the log.
  let gate: ReadGate
  /// What reads besides the writer; `nil` if the journal only looks at what others own.
  let connections: ReadConnections?
  /// How long the writer was held for the log.
  let times: Lock<Durations>
  let path: String
  /// The list of deletions; `nil` if the journal only reads.
  let erasures: ErasureList?
  /// Room for deletions on a full disk; `nil` if the journal only reads.
  let reserve: DiskReserve?
  private let hold: Hold?

  /// The resources of a database's owner; an inspecting journal has none.
  private struct Hold {
    let mover: DatabaseQueue
    let keeper: Keeper
    let mark: MarkFile
    let lock: DatabaseLock
  }

  /// The lock on the file keeps others out.
  package let isExclusive = true

  package var startFault: JournalError? { hold == nil ? .readOnly : reserve?.isGivenUp == true ? .full : nil }

  /// Milliseconds that a statement waits for a lock.
  static let busyTimeout: Int32 = 5_000

  /// The schema that this version knows.
  static let migrations = Migrations.all

  /// Opens or makes a database; the directory is made too. `keys`: 32 bytes each for the secrets, the newest first. Refuses one of which
  /// something was lost, unless `acceptsLoss`. `readers`: threads that read at the same time, the writer's beside them. `log` is called on
  /// the sweeper's thread.
  package convenience init(
    path: String, keys: [[UInt8]], acceptsLoss: Bool = false, readers: Int = 3, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try self.init(path: path, keys: keys, acceptsLoss: acceptsLoss, readers: readers, migrations: Self.migrations, tell: log)
  }

  init(
    path: String, keys: [[UInt8]], acceptsLoss: Bool = false, readers: Int = 3, migrations: [(name: String, sql: String)],
    tell: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try Self.makeDirectory(of: path)
    let lock = try DatabaseLock(database: path)
    do {
      try Witness(path).check(migrations)
    } catch {
      guard acceptsLoss, case .lost(_, let loss) = error else { throw error }
      tell(.lossAccepted(reason: "\(loss)"))
      try Witness(path).checkFormat(migrations)
    }
    let reserve = DiskReserve(path)
    // Only under the lock: closing a file of a database drops the locks that SQLite holds on it in this process.
    try Self.makeFile(path)
    let secrets = SecretBox(keys: keys)
    do {
      // The log of a killed process may still hold data that it had erased.
      let hasLog = Disk.size(of: path + "-wal") ?? 0 > 0
      let pool = try DatabasePool(path: path, configuration: Self.configuration(readers: readers + 1))
      let log = WriteLog()
      let start = try pool.writeWithoutTransaction { db in
        // In KiB: the inner pages of the tables of a million sessions.
        try db.execute(sql: "PRAGMA cache_size = -16384")
        try Self.makeDurable(db, path: path)
        try MigrationRunner(path: path, migrations: migrations).run(db)
        let start = try Start(db, secrets, keys: keys, path: path)
        log.watch(db)
        return start
      }
      // The last writes of a killed process are read from now on, and may not be on disk yet.
      Disk.sync(path + "-wal")
      Disk.syncDirectory(of: path)
      let mark = try MarkFile(path, DatabaseMark(id: start.id, newest: start.heads.committed, isOpen: true))
      let connections = try ReadConnections(path: path, count: readers + 1)
      let mover = try DatabaseQueue(path: path, configuration: Self.configuration(readers: 1))
      let (gate, times) = (ReadGate(), Lock(Durations()))
      let sweeper = Sweeper(Self.work(pool, mover, gate, times), tell)
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
      self.pool = pool
      self.log = log
      self.sweeper = sweeper
      self.gate = gate
      self.connections = connections
      self.times = times
      self.heads = heads
      derivationKey = start.derivationKey
      erasures = ErasureList(path)
      self.reserve = reserve
      if reserve.isGivenUp { tell(.reserveGivenUp) }
      hashKey = start.hashKey
      check = RowCheck(start.hashKey)
      hold = Hold(mover: mover, keeper: keeper, mark: mark, lock: lock)
    } catch let error as SQLiteJournalError {
      throw error
    } catch {
      throw Self.fault(error, path: path)
    }
    self.secrets = secrets
    self.path = path
  }

  /// Looks at what others own, or what cannot be written.
  init(
    inspecting pool: DatabasePool, at path: String, _ secrets: SecretBox, _ heads: Heads, _ hashKey: SipHash.Key,
    derivationKey: [UInt8] = []
  ) {
    self.pool = pool
    erasures = nil
    reserve = nil
    self.derivationKey = derivationKey
    self.path = path
    gate = ReadGate()
    connections = nil
    times = Lock(Durations())
    self.secrets = secrets
    self.heads = Lock(heads)
    log = WriteLog()
    sweeper = Sweeper(Sweeper.Work(erase: { false }, move: { nil }, empty: { false })) { _ in }
    self.hashKey = hashKey
    check = RowCheck(hashKey)
    hold = nil
  }

  /// The state that a start finds.
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
      guard let id = try Witness.id(db) else {
        throw SQLiteJournalError.corrupt(path: path, reason: "its settings are not complete: its id is missing")
      }
      self.id = id
      derivationKey = try Seals.derivationKey(db, secrets, path: path)
      hashKey = try SettingsTable(db).hashKey()
      heads = try Heads(db)
      hasTombstones = try Prepared(db, "SELECT 1 FROM tombstones LIMIT 1").row { _ in true } ?? false
    }
  }

  /// Reseals the next secrets with each call; returns false if none is left. Failures are retried.
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

  /// Writes what was written behind, erases what is left of deleted sessions (at most for two seconds; the next start goes on), and moves
  /// the log into the database.
  package func close() {
    guard let hold else { return sweeper.stop() }
    hold.keeper.stop()
    try? flush()
    sweeper.finish(until: Monotonic.deadline(after: .seconds(2)))
    sweeper.stop()
    connections?.close()
    try? hold.mover.close()
    // A pragma, because GRDB's own call does not look whether the connection is closed already.
    try? pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    // Before the log is removed: otherwise the mark would indicate a loss.
    mark(isOpen: false)
    try? pool.close()
    hold.lock.release()
  }

  /// Writes the mark now, for the end and for tests.
  func mark(isOpen: Bool = true) {
    let newest = heads.withLock { $0.committed }
    hold?.mark.write { $0 = DatabaseMark(id: $0.id, newest: newest, isOpen: isOpen) }
  }

  /// Blocks until all secrets are sealed with the newest key, or for a while (`Monotonic`); false: not all are.
  func sealed(until deadline: UInt64) -> Bool { hold?.keeper.finish(until: deadline) ?? true }

  /// Of a connection that only reads, and leaves the files as they are.
  static var reading: Configuration {
    var configuration = Configuration()
    configuration.label = "cairn-reading"
    configuration.readonly = true
    configuration.busyMode = .timeout(Double(busyTimeout) / 1_000)
    return configuration
  }

  /// Of a connection that writes.
  static func configuration(readers: Int) -> Configuration {
    var configuration = Configuration()
    configuration.label = "cairn"
    configuration.busyMode = .timeout(Double(busyTimeout) / 1_000)
    configuration.maximumReaderCount = readers
    configuration.prepareDatabase { db in
      // The log is moved by a thread of its own, not by the commit that happens to fill it.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      // Deleted data is overwritten, not only unlinked.
      try db.execute(sql: "PRAGMA secure_delete = ON")
      // Settled before the first table is made: pages that become free can be given back to the disk (`Slack`).
      if !db.configuration.readonly, try Int.fetchOne(db, sql: "PRAGMA page_count") == 0 {
        try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      }
    }
    return configuration
  }

  /// GRDB sets NORMAL when it switches to WAL, so this comes after it; what was set is read back.
  private static func makeDurable(_ db: Database, path: String) throws {
    try db.execute(sql: "PRAGMA synchronous = FULL")
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
    guard mode == "wal" else { throw SQLiteJournalError.notDurable(path: path, reason: "journal_mode is \(mode ?? "unknown")") }
    let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
    guard level == 2 else { throw SQLiteJournalError.notDurable(path: path, reason: "synchronous is \(level ?? -1), not FULL") }
  }
}
