import CairnCore
import CairnJournal
import CairnRuntime

/// The newest states of sessions, read on a connection of the readers or of the writer.
struct PostgresStates: SessionStates {
  let database: PostgresDatabase
  let lane: PostgresDatabase.Lane

  func session(_ id: String) throws(JournalError) -> SessionRecord? {
    var parameters = Parameters()
    let place = parameters.add(id)
    let text = "\(Self.sessionColumns) WHERE s.id = \(place)::text"
    let row = try database.run(on: lane) { (connection, deadline) throws(PostgresError) in
      try connection.run(text, parameters, until: deadline).first
    }
    return try row.map { row throws(JournalError) in try record(id, row) }
  }

  func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord] {
    var parameters = Parameters()
    let list = parameters.add(ids.map { Optional($0) })
    let values = parameters
    let rows = try database.run(on: lane) { (connection, deadline) throws(PostgresError) in
      try connection.run("\(Self.sessionColumns) WHERE s.id = ANY(\(list)::text[])", values, until: deadline).rows
    }
    var found: [String: SessionRecord] = [:]
    for row in rows { found[row.text(13)] = try record(row.text(13), row) }
    return found
  }

  func changed(since sessions: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] {
    var changed: [Int: SessionRecord?] = [:]
    // A session whose number is not cached gets `nil`, so that the caller reads the session completely. This read also caches the number.
    let numbers = database.known.withLock { known in sessions.map { known[$0.id]?.number } }
    var asked: [Int] = []
    for (index, number) in numbers.enumerated() { if number == nil { changed[index] = .some(nil) } else { asked.append(index) } }
    guard !asked.isEmpty else { return changed }
    var parameters = Parameters()
    let indexes = parameters.add(asked.map { Optional($0) })
    let places = parameters.add(asked.map { numbers[$0] })
    let revisions = parameters.add(asked.map { Optional(sessions[$0].state.revision) })
    let hashes = parameters.add(asked.map { Optional(sessions[$0].hash.column) })
    let beginnings = parameters.add(asked.map { Optional(sessions[$0].beginning) })
    // If many revisions are missing, no pages are read here: reading the session from its newest snapshot costs less.
    let text = """
      SELECT q.i, h.session, h.definition, h.label, h.updated_at, h.revision, h.hash, h.entries, h.bytes, h.snapshot, h.total,
        CASE WHEN h.revision - q.revision BETWEEN 1 AND \(Self.mostMissing) THEN
          (SELECT array_agg(p.body ORDER BY p.revision) FROM @pages p WHERE p.session = q.number AND p.revision > q.revision) END,
        h.beginning
      FROM unnest(\(indexes)::bigint[], \(places)::bigint[], \(revisions)::bigint[], \(hashes)::bigint[], \(beginnings)::bigint[])
        AS q (i, number, revision, hash, beginning)
      LEFT JOIN @heads h ON h.session = q.number
      WHERE (h.revision, h.hash, h.beginning) IS DISTINCT FROM (q.revision, q.hash, q.beginning)
      """
    let values = parameters
    let rows = try database.run(on: lane) { (connection, deadline) throws(PostgresError) in
      try connection.run(text, values, until: deadline).rows
    }
    for row in rows {
      let session = sessions[row.integer(0)]
      changed[row.integer(0)] = .some(row.isNull(1) ? nil : newer(than: session, row))
    }
    return changed
  }

  /// Maximum number of revisions that are added to a state in memory. If the state lacks more revisions, the session is read from its newest snapshot.
  private static let mostMissing = 256

  /// The newest state of a session, computed from a state in memory and the pages after it. `nil` if the pages do not continue that state,
  /// for example after a restore of the database, or after a failover to a standby without the newest commits. Damaged pages also give
  /// `nil`; the damage is reported when the session is read completely.
  private func newer(than session: SessionRecord, _ row: PostgresResult.Row) -> SessionRecord? {
    var (state, hash) = (session.state, session.hash)
    do throws(UnreadableFormat) {
      for page in row.blobs(11) {
        // The page may begin with entries that are already part of the state.
        for entry in try PageFormat.entries(page) where entry.entry.revision > state.revision {
          guard entry.hash(after: hash, database.hashKey) == entry.hash else { return nil }
          try StateFormat.apply(entry.difference, to: &state)
          hash = entry.hash
        }
      }
    } catch {
      return nil
    }
    let beginning = row.integer(12)
    guard state.revision == row.integer(5), hash == UInt64(column: row.integer(6)), (0...state.revision).contains(beginning) else {
      return nil
    }
    let read = KnownSession(
      number: row.integer(1), entries: row.integer(7), bytes: row.integer(8), snapshot: row.integer(9), total: row.integer(10))
    guard let counts = try? read.checked(session.id) else { return nil }
    database.known.withLock { $0.keep(counts, for: session.id, weight: 1) }
    let identity = SessionIdentity(
      id: session.id, app: session.app, label: row.optionalText(3), createdAt: session.createdAt,
      secretHash: session.secretHash)
    return SessionRecord(identity, definition: row.text(2), updatedAt: row.integer(4), state: state, hash: hash, beginning: beginning)
  }

  /// A session with its newest snapshot and the pages after it. One statement reads them, so that all belong to one version.
  private static let sessionColumns = """
    SELECT s.number, s.app, s.created_at, s.secret_hash, h.definition, h.label, h.updated_at, h.revision, h.hash, h.entries, h.bytes, h.snapshot,
      h.total, s.id, x.revision, x.format, x.state, x.definition,
      (SELECT array_agg(p.body ORDER BY p.revision) FROM @pages p WHERE p.session = s.number AND p.revision > coalesce(x.revision, 0)),
      h.beginning
    FROM @sessions s JOIN @heads h ON h.session = s.number
    LEFT JOIN LATERAL (SELECT revision, format, state, definition FROM @snapshots WHERE session = s.number ORDER BY revision DESC LIMIT 1) x ON true
    """

  private func record(_ id: String, _ row: PostgresResult.Row) throws(JournalError) -> SessionRecord {
    let definition = row.text(4)
    var empty = StateFormat.empty
    if let table = database.tables.withLock({ $0[definition] }) { empty.nodes = table }
    let session = try KnownSession(
      number: row.integer(0), entries: row.integer(9), bytes: row.integer(10), snapshot: row.integer(11), total: row.integer(12)
    ).checked(id)
    database.known.withLock { $0.keep(session, for: id, weight: 1) }
    let hash = UInt64(column: row.integer(8))
    let newest = try PostgresHistory.state(of: id, row, from: 14, over: empty, through: row.integer(7))
    guard newest.state.revision == row.integer(7), newest.hash == hash || newest.time == 0 else {
      throw .unreadable("session \(id): its head does not match its newest entry")
    }
    // A value out of bounds is damaged. A negative value would also cause an overflow when entries are counted.
    guard (0...newest.state.revision).contains(row.integer(19)) else {
      throw .unreadable("session \(id): the first revision of its history is outside the allowed range")
    }
    return SessionRecord(
      id: id, app: row.text(1), definition: definition, label: row.optionalText(5), createdAt: row.integer(2), updatedAt: row.integer(6),
      secretHash: row.bytes(3), state: newest.state, hash: hash, beginning: row.integer(19))
  }
}
