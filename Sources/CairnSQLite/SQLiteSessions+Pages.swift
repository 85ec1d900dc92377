import CairnRuntime
import CairnJournal
import GRDB

// Lists sessions in the order of creation. Each page continues in the same index where the previous page ended.
extension SQLiteSessions {
  /// The maximum number of rows that are examined for a page.
  private static let scanLimit = 2_000

  func page(_ query: SessionQuery) throws(JournalError) -> SessionPage? {
    try database.guarded {
      try database.read { db in
        var start = (created: query.createdAfter ?? .min, number: Int.min)
        if let after = query.after {
          guard let place = try Self.place(after, db) else { return nil }
          if start < place { start = place }
        }
        return try self.page(query, from: start, db)
      }
    }
  }

  private func page(_ query: SessionQuery, from start: (created: Int, number: Int), _ db: Database) throws -> SessionPage {
    let statement = try Prepared(db, Self.select(query))
    statement.bind(1, start.created)
    statement.bind(2, start.number)
    statement.bind(3, query.createdBefore ?? .max)
    if let key = query.label ?? query.definition ?? query.app { statement.bind(4, key) }
    var page = SessionPage(ids: [])
    var last: (created: Int, number: Int)?
    var seen = 0
    try statement.visit { row in
      guard seen < Self.scanLimit else {
        page.next = last.map(Self.text)
        return false
      }
      let isMeant = self.isMeant(row, query)
      // The page has a cursor only if another matching session follows.
      if isMeant, page.ids.count >= query.limit {
        page.next = last.map(Self.text)
        return false
      }
      if isMeant { page.ids.append(row.text(1)) }
      seen += 1
      last = (row.integer(2), row.integer(0))
      return true
    }
    return page
  }

  /// Whether a row matches the app, the label, the definition and the idle time of the query.
  private func isMeant(_ row: Prepared, _ query: SessionQuery) -> Bool {
    if let app = query.app, row.text(3) != app { return false }
    if let label = query.label, row.isNull(4) || row.text(4) != label { return false }
    if let definition = query.definition, row.text(5) != definition { return false }
    guard let idle = query.idleSince else { return true }
    if row.integer(6) != 0 { return row.integer(2) < idle }
    // Heads that have not been written to the table are in memory.
    let updated = database.heads.withLock { $0[row.text(1)]?.updatedAt } ?? row.optionalInteger(7)
    return updated.map { $0 < idle } ?? false
  }

  /// The SQL text of a query. It uses the index of the most selective filter.
  static func select(_ query: SessionQuery) -> String {
    if query.label != nil || query.definition != nil {
      let name = query.label == nil ? "definition" : "label"
      return """
        SELECT s.number, s.id, h.created_at, s.app, h.label, h.definition, s.manual, h.updated_at
        FROM heads h INDEXED BY heads_by_\(name) JOIN sessions s ON s.number = h.session
        WHERE h.\(name) = ?4 AND h.created_at >= ?1 AND (h.created_at > ?1 OR h.session > ?2) AND h.created_at < ?3
        ORDER BY h.created_at, h.session
        """
    }
    let (index, condition) = query.app == nil ? ("sessions_by_creation", "") : ("sessions_by_app", "s.app = ?4 AND ")
    return """
      SELECT s.number, s.id, s.created_at, s.app, NULL, NULL, s.manual\(query.idleSince == nil ? "" : ", h.updated_at")
      FROM sessions s INDEXED BY \(index)\(query.idleSince == nil ? "" : " LEFT JOIN heads h ON h.session = s.number")
      WHERE \(condition)s.created_at >= ?1 AND (s.created_at > ?1 OR s.number > ?2) AND s.created_at < ?3
      ORDER BY s.created_at, s.number
      """
  }

  /// The place at which a page continues: a cursor from a previous page, or the place of a session. `nil` if the session does not exist.
  private static func place(_ after: String, _ db: Database) throws -> (created: Int, number: Int)? {
    let parts = after.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    if parts.count == 2, let created = parts[0], let number = parts[1] { return (created, number) }
    return try Prepared(db, "SELECT created_at, number FROM sessions WHERE id = ?").bound(after).row { ($0.integer(0), $0.integer(1)) }
  }

  private static func text(_ place: (created: Int, number: Int)) -> String { "\(place.created).\(place.number)" }
}
