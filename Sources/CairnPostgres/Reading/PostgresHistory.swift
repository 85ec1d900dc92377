import CairnCore
import CairnJournal
import CairnRuntime

/// The entries of a journal on PostgreSQL, which are stored in pages.
struct PostgresHistory: EntryJournal {
  let database: PostgresDatabase

  func beginning(of id: String) throws(JournalError) -> JournalBeginning? {
    let row = try database.row(
      "SELECT b.revision, b.origin FROM @sessions s JOIN @beginnings b ON b.session = s.number WHERE s.id = $1::text", id)
    guard let row else { return nil }
    guard State.isRevision(row.integer(0)) else {
      throw .unreadable("session \(id): the first revision of its history is outside the allowed range")
    }
    return JournalBeginning(row.integer(0), identity: UInt64(column: row.integer(1)))
  }

  func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    var parameters = Parameters()
    let (session, last) = (parameters.add(id), parameters.add(revision))
    // The page that contains the revision may also contain later entries.
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT x.revision, x.format, x.state, x.definition, (SELECT array_agg(p.body ORDER BY p.revision) FROM (
            SELECT p.revision, p.body FROM @pages p WHERE p.session = s.number AND p.revision > coalesce(x.revision, 0) AND p.revision < \(last)::bigint
            UNION ALL
            (SELECT p.revision, p.body FROM @pages p WHERE p.session = s.number AND p.revision >= \(last)::bigint ORDER BY p.revision LIMIT 1)) p),
          h.definition, h.beginning, b.at, b.hash
        FROM @sessions s JOIN @heads h ON h.session = s.number LEFT JOIN @beginnings b ON b.session = s.number
        LEFT JOIN LATERAL (SELECT revision, format, state, definition FROM @snapshots WHERE session = s.number AND revision >= h.beginning
          AND (revision < \(last)::bigint OR revision = h.beginning) ORDER BY revision DESC LIMIT 1) x ON true
        WHERE s.id = \(session)::text
        """, parameters, until: deadline
      ).first
    }
    guard let row else { return nil }
    let first = row.integer(6)
    if revision < first { throw .forgotten(first: first) }
    let past = try Self.state(of: id, row, from: 0, over: StateFormat.empty, through: revision)
    guard past.state.revision == revision else { throw .unreadable("session \(id) has no entry \(revision)") }
    // A snapshot that was written before the column `definition` existed names no definition. At that time, the session's definition had never changed.
    var definition = past.definition
    if definition == nil, revision > first {
      definition = try first > 0 ? self.past(of: id, at: first)?.definition : entries(of: id, after: 0, limit: 1).first?.definition
    }
    // The entry of the beginning is forgotten, so its time and hash are taken from the row of the beginning.
    let (time, hash) = revision == first ? (row.integer(7), UInt64(column: row.integer(8))) : (past.time, past.hash)
    return PastState(past.state, definition: definition ?? row.text(5), time: time, hash: hash)
  }

  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    guard limit > 0 else { return [] }
    var parameters = Parameters()
    let (id, first, count) = (parameters.add(session), parameters.add(max(0, revision)), parameters.add(limit))
    // Each page has at least one entry, so `limit` pages contain enough entries.
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT h.beginning, (SELECT array_agg(p.body ORDER BY p.revision) FROM (SELECT p.revision, p.body FROM @pages p
          WHERE p.session = s.number AND p.revision > \(first)::bigint ORDER BY p.revision LIMIT \(count)::bigint) p)
        FROM @sessions s JOIN @heads h ON h.session = s.number WHERE s.id = \(id)::text
        """, parameters, until: deadline
      ).first
    }
    guard let row else { return [] }
    if revision < row.integer(0) { throw .forgotten(first: row.integer(0)) }
    var found: [JournalEntry] = []
    for page in row.blobs(1) {
      for entry in try Self.entries(page, of: session) where entry.entry.revision > revision && found.count < limit {
        found.append(entry)
      }
    }
    for (entry, wanted) in zip(found, (max(0, revision) + 1)...) where entry.entry.revision != wanted {
      throw .unreadable("session \(session): entry \(wanted) is missing")
    }
    return found
  }

  func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State] {
    var parameters = Parameters()
    let (id, first, end) = (parameters.add(session), parameters.add(revision), parameters.add(last))
    let values = parameters
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT x.revision, x.format, x.state FROM @sessions s JOIN @snapshots x ON x.session = s.number
        WHERE s.id = \(id)::text AND x.revision > \(first)::bigint AND x.revision <= \(end)::bigint
        """, values, until: deadline
      ).rows
    }
    var states: [Int: State] = [:]
    for row in rows {
      do throws(UnreadableFormat) {
        states[row.integer(0)] = try StateFormat.state(row.bytes(2), version: row.integer(1))
      } catch {
        throw .unreadable("the snapshot at entry \(row.integer(0)): \(error.reason)")
      }
    }
    return states
  }

  /// Returns the state at a revision. From column `first` on, `row` contains the revision, the format, the state and the definition of a
  /// snapshot, and then an array of the pages after the snapshot. The time is 0 if no page follows the snapshot. The definition is `nil` if
  /// neither the snapshot nor a page names one.
  static func state(
    of id: String, _ row: PostgresResult.Row, from first: Int32, over start: State, through revision: Int
  ) throws(JournalError) -> (state: State, definition: String?, time: Int, hash: UInt64) {
    var (time, hash) = (0, UInt64(0))
    var definition = row.optionalText(first + 3)
    do throws(UnreadableFormat) {
      var state = start
      if !row.isNull(first) { state = try StateFormat.state(row.bytes(first + 2), version: row.integer(first + 1), over: start) }
      for page in row.blobs(first + 4) {
        for entry in try PageFormat.entries(page) where entry.entry.revision > state.revision && entry.entry.revision <= revision {
          try StateFormat.apply(entry.difference, to: &state)
          (time, hash) = (entry.entry.stamp.time, entry.hash)
          definition = entry.definition ?? definition
        }
      }
      return (state, definition, time, hash)
    } catch {
      throw .unreadable("session \(id): \(error.reason)")
    }
  }

  private static func entries(_ page: [UInt8], of id: String) throws(JournalError) -> [JournalEntry] {
    do throws(UnreadableFormat) {
      return try PageFormat.entries(page)
    } catch {
      throw .unreadable("session \(id): \(error.reason)")
    }
  }
}
