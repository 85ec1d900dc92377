package import CairnCore
import CairnRuntime
import CairnCrypto
package import CairnJournal
import Foundation

extension PostgresJournal {
  package func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord? {
    var parameters = Parameters()
    let place = parameters.add(id)
    let text = "\(Self.sessionColumns) WHERE s.id = \(place)::text"
    let row =
      try toWrite
      ? write { (connection, deadline) throws(PostgresError) in try connection.run(text, parameters, until: deadline).first }
      : read { (connection, deadline) throws(PostgresError) in try connection.run(text, parameters, until: deadline).first }
    return try row.map { row throws(JournalError) in try record(id, row) }
  }

  package func sessions(_ ids: [String], toWrite: Bool) throws(JournalError) -> [String: SessionRecord] {
    var parameters = Parameters()
    let list = parameters.add(ids.map { Optional($0) })
    let values = parameters
    func select(_ connection: PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> [PostgresResult.Row] {
      try connection.run("\(Self.sessionColumns) WHERE s.id = ANY(\(list)::text[])", values, until: deadline).rows
    }
    let rows = try toWrite ? write(select) : read(select)
    var found: [String: SessionRecord] = [:]
    for row in rows { found[row.text(13)] = try record(row.text(13), row) }
    return found
  }

  package func version(of id: String) throws(JournalError) -> SessionVersion? {
    let row = try row(
      "SELECT h.revision, h.hash, h.beginning FROM @heads h JOIN @sessions s ON s.number = h.session WHERE s.id = $1::text", id)
    return row.map { SessionVersion($0.integer(0), hash: UInt64(column: $0.integer(1)), beginning: $0.integer(2)) }
  }

  package func changed(since sessions: [SessionRecord], toWrite: Bool) throws(JournalError) -> [Int: SessionRecord?] {
    var changed: [Int: SessionRecord?] = [:]
    // A session whose number is unknown is read completely, which finds the number.
    let numbers = known.withLock { known in sessions.map { known[$0.id]?.number } }
    var asked: [Int] = []
    for (index, number) in numbers.enumerated() { if number == nil { changed[index] = .some(nil) } else { asked.append(index) } }
    guard !asked.isEmpty else { return changed }
    var parameters = Parameters()
    let indexes = parameters.add(asked.map { Optional($0) })
    let places = parameters.add(asked.map { numbers[$0] })
    let revisions = parameters.add(asked.map { Optional(sessions[$0].state.revision) })
    let hashes = parameters.add(asked.map { Optional(sessions[$0].hash.column) })
    let beginnings = parameters.add(asked.map { Optional(sessions[$0].beginning) })
    // Behind many entries the newest snapshot is the shorter way.
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
    let rows =
      try toWrite
      ? write { (connection, deadline) throws(PostgresError) in try connection.run(text, values, until: deadline).rows }
      : read { (connection, deadline) throws(PostgresError) in try connection.run(text, values, until: deadline).rows }
    for row in rows {
      let session = sessions[row.integer(0)]
      changed[row.integer(0)] = .some(row.isNull(1) ? nil : newer(than: session, row))
    }
    return changed
  }

  /// The maximum number of revisions by which a state in memory is brought up to date.
  private static let mostMissing = 256

  /// The newest state of a session, from a state in memory and the pages behind it; `nil` if they do not continue it. That is so after the database was
  /// restored or a standby took over without the newest commits. Damage is reported when the session is read completely.
  private func newer(than session: SessionRecord, _ row: PostgresResult.Row) -> SessionRecord? {
    var (state, hash) = (session.state, session.hash)
    do throws(UnreadableFormat) {
      for page in row.blobs(11) {
        // The page may begin with entries that are known.
        for entry in try PageFormat.entries(page) where entry.entry.revision > state.revision {
          guard entry.hash(after: hash, hashKey) == entry.hash else { return nil }
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
    known.withLock { $0.keep(counts, for: session.id, weight: 1) }
    let identity = SessionIdentity(
      id: session.id, app: session.app, label: row.optionalText(3), createdAt: session.createdAt,
      secretHash: session.secretHash)
    return SessionRecord(identity, definition: row.text(2), updatedAt: row.integer(4), state: state, hash: hash, beginning: beginning)
  }

  package func beginning(of id: String) throws(JournalError) -> JournalBeginning? {
    let row = try row("SELECT b.revision, b.origin FROM @sessions s JOIN @beginnings b ON b.session = s.number WHERE s.id = $1::text", id)
    guard let row else { return nil }
    guard State.isRevision(row.integer(0)) else { throw .unreadable("session \(id): the beginning of its history is out of bounds") }
    return JournalBeginning(row.integer(0), identity: UInt64(column: row.integer(1)))
  }

  package func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    var parameters = Parameters()
    let (session, last) = (parameters.add(id), parameters.add(revision))
    // The page that contains the revision may end behind it.
    let row = try read { (connection, deadline) throws(PostgresError) in
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
    let past = try state(of: id, row, from: 0, over: StateFormat.empty, through: revision)
    guard past.state.revision == revision else { throw .unreadable("session \(id) has no entry \(revision)") }
    // A snapshot of before the column existed names no definition. The session's definition had never changed then.
    var definition = past.definition
    if definition == nil, revision > first {
      definition = try first > 0 ? self.past(of: id, at: first)?.definition : entries(of: id, after: 0, limit: 1).first?.definition
    }
    // The entry of the beginning is forgotten.
    let (time, hash) = revision == first ? (row.integer(7), UInt64(column: row.integer(8))) : (past.time, past.hash)
    return PastState(past.state, definition: definition ?? row.text(5), time: time, hash: hash)
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    guard limit > 0 else { return [] }
    var parameters = Parameters()
    let (id, first, count) = (parameters.add(session), parameters.add(max(0, revision)), parameters.add(limit))
    // Each page has at least one entry.
    let row = try read { (connection, deadline) throws(PostgresError) in
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

  package func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State] {
    var parameters = Parameters()
    let (id, first, end) = (parameters.add(session), parameters.add(revision), parameters.add(last))
    let values = parameters
    let rows = try read { (connection, deadline) throws(PostgresError) in
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

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    var parameters = Parameters()
    let (first, count) = (parameters.add(place), parameters.add(limit))
    return try read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT number, id FROM @sessions WHERE number > \(first)::bigint ORDER BY number LIMIT \(count)::bigint", parameters,
        until: deadline)
    }.rows.map { ($0.integer(0), $0.text(1)) }
  }

  package func definitions() throws(JournalError) -> [String] {
    try read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT hash FROM @definitions ORDER BY hash", until: deadline)
    }.rows.map { $0.text(0) }
  }

  package func definition(_ hash: String) throws(JournalError) -> String? {
    try row("SELECT text FROM @definitions WHERE hash = $1::text", hash)?.text(0)
  }

  package func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    var parameters = Parameters()
    let (id, number) = (parameters.add(session), parameters.add(slot.number))
    let row = try read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT x.box FROM @secrets x JOIN @sessions s ON s.number = x.session WHERE s.id = \(id)::text AND x.slot = \(number)::bigint
        """, parameters, until: deadline
      ).first
    }
    guard let row else { return nil }
    guard let text = secrets.open(Data(row.bytes(0)), for: slot.purpose(of: session)) else {
      throw .unreadable("a secret of session \(session) cannot be decrypted")
    }
    return text
  }

  /// Of a large table this is an estimate, because counting reads it all.
  package func count() throws(JournalError) -> Int {
    try read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT CASE WHEN reltuples > 100000 THEN reltuples::bigint ELSE (SELECT count(*) FROM @heads) END
        FROM pg_class WHERE oid = '@heads'::regclass
        """, until: deadline
      ).first?.integer(0) ?? 0
    }
  }

  package func bytes(of session: String) -> Int? { known.withLock { $0[session]?.total } }

  /// The first row of a statement with one text as its parameter.
  func row(_ statement: String, _ value: String) throws(JournalError) -> PostgresResult.Row? {
    var parameters = Parameters()
    _ = parameters.add(value)
    return try read { (connection, deadline) throws(PostgresError) in try connection.run(statement, parameters, until: deadline).first }
  }

  // MARK: states

  /// A session with its newest snapshot and the pages behind it, in one statement, so that all belong to one version.
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
    if let table = tables.withLock({ $0[definition] }) { empty.nodes = table }
    let session = try KnownSession(
      number: row.integer(0), entries: row.integer(9), bytes: row.integer(10), snapshot: row.integer(11), total: row.integer(12)
    ).checked(id)
    known.withLock { $0.keep(session, for: id, weight: 1) }
    let hash = UInt64(column: row.integer(8))
    let newest = try state(of: id, row, from: 14, over: empty, through: row.integer(7))
    guard newest.state.revision == row.integer(7), newest.hash == hash || newest.time == 0 else {
      throw .unreadable("session \(id): its head does not match its newest entry")
    }
    // A number below 0, too, would overflow where entries are counted.
    guard (0...newest.state.revision).contains(row.integer(19)) else {
      throw .unreadable("session \(id): the beginning of its history is out of bounds")
    }
    return SessionRecord(
      id: id, app: row.text(1), definition: definition, label: row.optionalText(5), createdAt: row.integer(2), updatedAt: row.integer(6),
      secretHash: row.bytes(3), state: newest.state, hash: hash, beginning: row.integer(19))
  }

  /// The state at a revision from the columns of a snapshot (revision, format, state, definition) and an array of the pages behind it, beginning with
  /// column `first`. The time is 0 if there is no page behind the snapshot. The definition is `nil` if neither the snapshot nor a page has it.
  private func state(
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
