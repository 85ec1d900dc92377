import CairnJournal

extension PostgresSessions {
  /// The maximum number of rows that are examined for a page.
  private static let scanLimit = 2_000

  func page(_ query: SessionQuery) throws(JournalError) -> SessionPage? {
    var start = (created: query.createdAfter ?? .min, number: Int.min)
    if let after = query.after {
      guard let place = try place(after) else { return nil }
      if start < place { start = place }
    }
    var parameters = Parameters()
    var conditions = [
      "(h.created_at, h.session) > (\(parameters.add(start.created))::bigint, \(parameters.add(start.number))::bigint)"
    ]
    if let before = query.createdBefore { conditions.append("h.created_at < \(parameters.add(before))::bigint") }
    if let label = query.label { conditions.append("h.label = \(parameters.add(label))::text") }
    if let definition = query.definition { conditions.append("h.definition = \(parameters.add(definition))::text") }
    var matches: [String] = []
    if let app = query.app { matches.append("s.app = \(parameters.add(app))::text") }
    if let idle = query.idleSince {
      matches.append("CASE WHEN s.manual THEN h.created_at ELSE h.updated_at END < \(parameters.add(idle))::bigint")
    }
    // The inner query limits the rows to examine, in the order of creation, so that a query with few matches does not read the whole table.
    let statement = """
      SELECT s.id, q.created_at, q.session, \(matches.isEmpty ? "true" : matches.joined(separator: " AND ").replacing("h.", with: "q."))
      FROM (SELECT h.created_at, h.session, h.updated_at FROM @heads h WHERE \(conditions.joined(separator: " AND "))
        ORDER BY h.created_at, h.session LIMIT \(Self.scanLimit + 1)) q
      JOIN @sessions s ON s.number = q.session ORDER BY q.created_at, q.session
      """
    let values = parameters
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(statement, values, until: deadline).rows
    }
    var page = SessionPage(ids: [])
    var last: PostgresResult.Row?
    for (seen, row) in rows.enumerated() {
      let isMeant = row.bool(3)
      guard seen < Self.scanLimit, !(isMeant && page.ids.count >= query.limit) else {
        page.next = last.map { "\($0.integer(1)).\($0.integer(2))" }
        break
      }
      if isMeant { page.ids.append(row.text(0)) }
      last = row
    }
    return page
  }

  /// The place at which a page continues: a cursor from a previous page, or the place of a session. `nil` if the session does not exist.
  private func place(_ after: String) throws(JournalError) -> (created: Int, number: Int)? {
    let parts = after.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    if parts.count == 2, let created = parts[0], let number = parts[1] { return (created, number) }
    return try database.row("SELECT created_at, number FROM @sessions WHERE id = $1::text", after).map { ($0.integer(0), $0.integer(1)) }
  }
}
