import GRDB

/// The free pages that deletions leave in the database file. Some are kept for new sessions; the others are returned to the disk.
enum FreePages {
  /// The number of pages that one commit returns. Returning them takes a few milliseconds.
  private static let stride = 200
  /// The minimum number of free pages (4 KiB each) that are kept. In a large file, more are kept: the number of all pages, divided by
  /// `share`.
  private static let least = 256
  private static let share = 8

  /// Returns the next free pages to the disk. Returns `false` if no pages remain to be returned. A database that was created without
  /// `auto_vacuum` keeps its pages until `cairn vacuum`.
  static func giveBack(_ db: Database) throws -> Bool {
    guard try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2 else { return false }
    let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
    let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    let excess = free - max(least, pages / share)
    guard excess > 0 else { return false }
    try db.execute(sql: "PRAGMA incremental_vacuum(\(min(stride, excess)))")
    return excess > stride
  }
}
