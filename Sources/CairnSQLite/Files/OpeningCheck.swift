import CairnCore
import CairnJournal
import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// Compares a database with its mark before anything in it is changed.
struct OpeningCheck {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Throws `.lost` if a database existed here that is now missing. Must be called before a file is created. With `withKey`, an existing key file also counts
  /// as evidence of a database. An empty database file beside a key, as an interrupted first start leaves it, does not count as a loss.
  func checkPresence(withKey: Bool) throws(SQLiteJournalError) {
    let size = Disk.size(of: path)
    if size ?? 0 == 0, Disk.size(of: MarkFile.path(path)) != nil { throw .lost(path: path, .database) }
    if withKey, size == nil, Disk.size(of: path + ".key") != nil { throw .lost(path: path, .database) }
  }

  /// Throws an error if this version cannot use the database, and `.lost` if acknowledged data is missing. Writes nothing. The caller must hold the
  /// database's lock.
  func check(_ migrations: [(name: String, sql: String)]) throws(SQLiteJournalError) {
    let mark: DatabaseMark?
    do {
      mark = try MarkFile.read(path)
    } catch {
      // Checks the format first, because an earlier build's mark has a different format.
      try checkFormat(migrations)
      throw error
    }
    guard let mark else { return try checkFormat(migrations) }
    try checkPresence(withKey: false)
    // This is checked before the database is opened, because SQLite creates an empty log when it opens the database.
    if mark.isOpen, Disk.size(of: path + "-wal") == nil { throw .lost(path: path, .log) }
    try checkFormat(migrations)
    let known = mark.newest.entry
    let found = try Self.look(path, at: known)
    if let id = found.id, id != mark.id { throw .lost(path: path, .otherDatabase) }
    guard found.newest >= known else { throw .lost(path: path, .entries(known: known, found: found.newest)) }
    // The hash is `nil` if the mark refers to a deletion, or if the entry has been erased since.
    if let hash = found.hash, hash != mark.newest.hash { throw .lost(path: path, .otherEntry(known)) }
  }

  /// Throws an error if this version cannot use the database, which may not exist. Writes nothing.
  func checkFormat(_ migrations: [(name: String, sql: String)]) throws(SQLiteJournalError) {
    guard Disk.size(of: path) ?? 0 > 0 else { return }
    do {
      let queue = try DatabaseQueue(path: path, configuration: SQLiteJournal.reading)
      defer { try? queue.close() }
      _ = try queue.read { try MigrationRunner(path: path, migrations: migrations).pending($0) }
    } catch {
      throw SQLiteJournal.fault(error, path: path)
    }
  }

  /// The database's id, the number of its newest entry, and the hash of the entry with the number `entry`, or `nil` if that entry does not
  /// exist. Uses a connection that only reads and does not change any file.
  private static func look(_ path: String, at entry: Int) throws(SQLiteJournalError) -> (id: String?, newest: Int, hash: UInt64?) {
    do {
      let queue = try DatabaseQueue(path: path, configuration: SQLiteJournal.reading)
      defer { try? queue.close() }
      return try queue.read { db in
        guard try db.tableExists("settings"), try db.tableExists("marks") else { return (nil, 0, nil) }
        let hash = try Int.fetchOne(db, sql: "SELECT hash FROM entries WHERE number = ?", arguments: [entry])
        return (try id(db), try newest(db).entry, hash.map { UInt64(column: $0) })
      }
    } catch {
      throw SQLiteJournal.fault(error, path: path)
    }
  }

  /// The database's id; `nil` if the database has no id yet.
  static func id(_ db: Database) throws -> String? {
    try SettingsTable(db).value(.id).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number and hash of the newest entry that ever existed. Deletions count as entries.
  static func newest(_ db: Database) throws -> NewestEntry {
    // A number above the bound is damaged, and is ignored: new entries follow the highest number within the bound.
    let bound = State.highestNumber
    let marked =
      try Int.fetchOne(
        db, sql: "SELECT max(entry) FROM marks WHERE name IN ('flushed', 'deleted') AND entry <= ?", arguments: [bound]) ?? 0
    let newest = try Prepared(db, "SELECT number, hash FROM entries WHERE number <= ? ORDER BY number DESC LIMIT 1").bound(bound).row {
      NewestEntry(entry: $0.integer(0), hash: UInt64(column: $0.integer(1)))
    }
    guard let newest, newest.entry >= marked else { return NewestEntry(entry: marked, hash: 0) }
    return newest
  }
}
