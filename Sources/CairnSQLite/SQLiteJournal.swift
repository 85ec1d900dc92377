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
  /// Tables without nodes that have the names of a definition, by its hash: what is read of its sessions shares them.
  let tables = Lock<[String: NodeTable]>([:])
  package let derivationKey: [UInt8]
  /// Rows of entries and snapshots that were read so far.
  let rowsRead = Lock(0)
  /// What readers go through, so that nobody of this process is in the way when the log is emptied.
  let gate: ReadGate
  /// How long the writer was held for the log.
  let times: Lock<Durations>
  let path: String
  private let mover: DatabaseQueue
  private let lock: DatabaseLock

  /// The lock on the file keeps others out.
  package let isExclusive = true

  /// Milliseconds that a statement waits for a lock.
  static let busyTimeout: Int32 = 5_000

  /// The schema that this version knows.
  static let migrations = Migrations.all

  /// Opens or makes a database; the directory is made too. `key`: 32 bytes for the secrets.
  /// `readers`: threads that read at the same time, the writer's beside them. `log` is called on the sweeper's thread.
  package convenience init(
    path: String, key: [UInt8], readers: Int = 3, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try self.init(path: path, key: key, readers: readers, migrations: Self.migrations, tell: log)
  }

  init(
    path: String, key: [UInt8], readers: Int = 3, migrations: [(name: String, sql: String)],
    tell: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(SQLiteJournalError) {
    try Self.makeDirectory(of: path)
    let lock = try DatabaseLock(database: path)
    // Only under the lock: closing a file of a database drops the locks that SQLite holds on it in this process.
    try Self.makeFile(path)
    let secrets = SecretBox(key: key)
    do {
      // What a process that was killed had erased may stand in the log that it left.
      let hasLog = Self.size(path + "-wal") > 0
      let pool = try DatabasePool(path: path, configuration: Self.configuration(readers: readers + 1))
      let log = WriteLog()
      let (heads, hasGraves, derivationKey) = try pool.writeWithoutTransaction { db in
        // In KiB: the inner pages of the tables of a million sessions.
        try db.execute(sql: "PRAGMA cache_size = -16384")
        try Self.makeDurable(db, path: path)
        try MigrationRunner(path: path, migrations: migrations).run(db)
        try Self.checkKey(db, secrets, path: path)
        log.watch(db)
        return (
          try Heads(db), try Prepared(db, "SELECT 1 FROM graves LIMIT 1").row { _ in true } ?? false,
          try Self.derivationKey(db, secrets, path: path)
        )
      }
      let mover = try DatabaseQueue(path: path, configuration: Self.configuration(readers: 1))
      let (gate, times) = (ReadGate(), Lock(Durations()))
      let sweeper = Sweeper(Self.work(pool, mover, gate, times), tell)
      try sweeper.start(hasGraves: hasGraves || hasLog)
      self.pool = pool
      self.log = log
      self.mover = mover
      self.sweeper = sweeper
      self.gate = gate
      self.times = times
      self.heads = Lock(heads)
      self.derivationKey = derivationKey
    } catch let error as SQLiteJournalError {
      throw error
    } catch let error as DatabaseError {
      throw Self.fault(error, path: path)
    } catch {
      throw .notOpened(path: path, reason: "\(error)")
    }
    self.lock = lock
    self.secrets = secrets
    self.path = path
  }

  /// Writes what was written behind, erases what is left of deleted sessions (at most for two seconds; the next start goes on), and moves
  /// the log into the database.
  package func close() {
    try? flush()
    sweeper.finish(until: Monotonic.deadline(after: .seconds(2)))
    sweeper.stop()
    try? mover.close()
    // A pragma, because GRDB's own call does not look whether the connection is closed already.
    try? pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try? pool.close()
    lock.release()
  }

  private static func configuration(readers: Int) -> Configuration {
    var configuration = Configuration()
    configuration.label = "cairn"
    configuration.busyMode = .timeout(Double(busyTimeout) / 1_000)
    configuration.maximumReaderCount = readers
    configuration.prepareDatabase { db in
      // The log is moved by a thread of its own, not by the commit that happens to fill it.
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      // What is deleted is overwritten, not only unlinked.
      try db.execute(sql: "PRAGMA secure_delete = ON")
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

  /// A box that only the right key opens; made with the database.
  private static func checkKey(_ db: Database, _ secrets: SecretBox, path: String) throws {
    if let box = try Data.fetchOne(db, sql: "SELECT value FROM settings WHERE name = 'key'") {
      guard secrets.open(box, for: "key") == "cairn" else { throw SQLiteJournalError.wrongKey(path: path) }
    } else {
      try db.execute(
        sql: "INSERT INTO settings (name, value) VALUES ('key', ?)", arguments: [try secrets.seal("cairn", for: "key")])
    }
  }

  /// Made with the database, and kept in a box; it is not the secret key, so that it stays when that one is changed.
  private static func derivationKey(_ db: Database, _ secrets: SecretBox, path: String) throws -> [UInt8] {
    if let box = try Data.fetchOne(db, sql: "SELECT value FROM settings WHERE name = 'derivation'") {
      guard let text = secrets.open(box, for: "derivation"), let key = Data(base64Encoded: text) else {
        throw SQLiteJournalError.wrongKey(path: path)
      }
      return Array(key)
    }
    var random = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let box = try secrets.seal(Data(key).base64EncodedString(), for: "derivation")
    try db.execute(sql: "INSERT INTO settings (name, value) VALUES ('derivation', ?)", arguments: [box])
    return key
  }

  /// Makes the directory and an empty file, and looks that a file which is there is a database. To be called before a key is made or
  /// asked for: what cannot be a database needs none.
  package static func prepare(_ path: String) throws(SQLiteJournalError) {
    try makeDirectory(of: path)
    try makeFile(path)
  }

  private static func makeDirectory(of path: String) throws(SQLiteJournalError) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .directory(path: path, reason: "\(directory) is not there and cannot be made")
    }
  }

  /// Makes an empty file that only its owner may read; looks that a file which is there is a database.
  private static func makeFile(_ path: String) throws(SQLiteJournalError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw errno == EISDIR ? .notADatabase(path: path) : .directory(path: path, reason: reason)
    }
    defer { Glibc.close(descriptor) }
    let magic = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: magic.count)
    let count = Glibc.read(descriptor, &head, head.count)
    guard count == 0 || head == magic else { throw .notADatabase(path: path) }
  }

  private static func fault(_ error: DatabaseError, path: String) -> SQLiteJournalError {
    switch error.resultCode {
    case .SQLITE_NOTADB: .notADatabase(path: path)
    case .SQLITE_CORRUPT: .corrupt(path: path, reason: error.message ?? "no details")
    case .SQLITE_BUSY, .SQLITE_LOCKED: .lockedByAnother(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .directory(path: path, reason: error.message ?? "not writable")
    default: .notOpened(path: path, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }
}
