import CairnRuntime
import CairnJournal
import GRDB

extension SQLiteSessions {
  /// Reads the session with this id or, if it does not exist, the session with the next id. Unknown ids therefore take the same steps as
  /// known ones, so the response time does not reveal which sessions exist.
  func session(_ id: String, opens: (_ secretHash: [UInt8]?) -> Bool) throws(JournalError) -> SessionRecord? {
    try database.guarded {
      let known = database.heads.withLock { $0[id] }
      return try database.read { db in
        var isAsked = false
        let found = try Prepared(db, Self.firstSession).bound(id).row { row -> (SessionRecord, Head)? in
          isAsked = true
          return try opens(row.text(11) == id ? row.bytes(4) : nil) ? self.found(id, row, known) : nil
        }
        // No session has this id or a later one.
        if !isAsked { _ = opens(nil) }
        return try found.flatMap { $0 }.map { try self.newest($0, $1, db) }
      }
    }
  }

  private static let firstSession = "SELECT \(sessionColumns) WHERE s.id >= ? ORDER BY s.id LIMIT 1"
}
