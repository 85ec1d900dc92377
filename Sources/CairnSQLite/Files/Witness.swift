import Foundation
import GRDB
import GRDBSQLite
import Glibc

/// Holds a database against its mark, before anything in it is touched.
struct Witness {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Throws `.lost` if there was a database here and is none. To be asked before a file is made. `withKey`: a key beside it tells it too;
  /// an empty file is what a first start leaves that was ended before its end.
  func checkPresence(withKey: Bool) throws(SQLiteJournalError) {
    let size = Disk.size(of: path)
    if size ?? 0 == 0, Disk.size(of: MarkFile.path(path)) != nil { throw .lost(path: path, .database) }
    if withKey, size == nil, Disk.size(of: path + ".key") != nil { throw .lost(path: path, .database) }
  }

  /// Throws `.lost` if less is here than was acknowledged. Under the database's lock.
  func check() throws(SQLiteJournalError) {
    guard let mark = try MarkFile.read(path) else { return }
    try checkPresence(withKey: false)
    if mark.isOpen, Disk.size(of: path + "-wal") == nil { throw .lost(path: path, .log) }
    let found = try Self.look(path)
    if let id = found.id, id != mark.id { throw .lost(path: path, .otherDatabase) }
    guard found.entry >= mark.entry else { throw .lost(path: path, .entries(known: mark.entry, found: found.entry)) }
  }

  /// The id and the newest entry of a database, by a connection that only reads and leaves its files as they are.
  static func look(_ path: String) throws(SQLiteJournalError) -> (id: String?, entry: Int) {
    do {
      let queue = try DatabaseQueue(path: path, configuration: SQLiteJournal.reading)
      defer { try? queue.close() }
      return try queue.read { db in
        guard try db.tableExists("settings"), try db.tableExists("marks") else { return (nil, 0) }
        return (try id(db), try newest(db))
      }
    } catch {
      throw SQLiteJournal.fault(error, path: path)
    }
  }

  /// nil: it has none yet.
  static func id(_ db: Database) throws -> String? {
    try Data.fetchOne(db, sql: "SELECT value FROM settings WHERE name = 'id'").map { String(decoding: $0, as: UTF8.self) }
  }

  /// The newest entry that ever was, deletions included.
  static func newest(_ db: Database) throws -> Int {
    let marked = try Int.fetchOne(db, sql: "SELECT max(entry) FROM marks") ?? 0
    return max(marked, try Int.fetchOne(db, sql: "SELECT max(number) FROM entries") ?? 0)
  }
}
