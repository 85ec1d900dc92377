import GRDB

/// Free pages inside the database, which deletions leave. Those beyond what new sessions soon fill are given back to the disk.
enum Slack {
  /// Pages that are given back in one commit: a few milliseconds.
  private static let stride = 200
  /// Free pages (4 KiB each) that always stay, and the share of all pages that stays: one in so many.
  private static let least = 256
  private static let share = 8

  /// Gives back the next pages; false: there are no more to give. A database made without `auto_vacuum` keeps them until `cairn vacuum`.
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
