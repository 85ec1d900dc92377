import CairnCore
import CairnJournal
import CairnRuntime

/// The definitions of apps and the documents about them in a journal on PostgreSQL.
struct PostgresDocuments: DocumentJournal {
  let database: PostgresDatabase

  func definitions() throws(JournalError) -> [String] {
    try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT hash FROM @definitions ORDER BY hash", until: deadline)
    }.rows.map { $0.text(0) }
  }

  func definition(_ hash: String) throws(JournalError) -> String? {
    try database.row("SELECT text FROM @definitions WHERE hash = $1::text", hash)?.text(0)
  }

  func expect(_ definition: PinnedDefinition) {
    let table = definition.reducer.emptyTable
    database.tables.withLock { $0.keep(table, for: definition.hash, weight: definition.text.utf8.count) }
  }

  func documents(_ query: DocumentQuery) throws(JournalError) -> [StoredDocument] {
    var parameters = Parameters()
    var conditions: [String] = []
    if let kind = query.kind {
      let isKind = "kind = \(parameters.add(kind.rawValue))::text"
      // Each creation of a session reads the newest editions, so the condition of this query uses only the index. It does not find rows with a damaged kind.
      conditions.append(query.name == nil && !query.isOfNewest ? "(\(isKind) OR kind NOT IN (\(DocumentKind.list)))" : isKind)
    }
    if let app = query.app { conditions.append("app = \(parameters.add(app))::text") }
    if let name = query.name { conditions.append("name = \(parameters.add(name))::text") }
    let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    let (distinct, order) = query.isOfNewest ? (" DISTINCT ON (kind, app)", "kind DESC, app DESC, name DESC") : ("", "kind, app, name")
    let all = parameters
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT\(distinct) kind, app, name, version, body, \"check\" FROM @documents\(condition) ORDER BY \(order)", all, until: deadline)
    }.rows.map {
      StoredDocument(
        kind: $0.text(0), app: $0.text(1), name: $0.text(2), version: $0.integer(3), body: $0.text(4), stored: $0.integer(5), check)
    }
    return query.isOfNewest ? rows.reversed() : rows
  }

  func store(_ changes: [DocumentChange], texts: [String: String]) throws(JournalError) {
    let all = statement(changes, texts)
    // Whether the statement may have been committed, because its response was lost or no standby has confirmed the commit.
    var isUncertain = false
    do throws(JournalError) {
      // Unlike a read, a commit may wait for a replica.
      _ = try database.read(for: PostgresDatabase.timeout) { (connection, deadline) throws(PostgresError) in
        // If the connection cannot be opened, nothing was sent, so nothing has changed.
        try connection.open(until: deadline)
        do throws(PostgresError) {
          return try connection.run(all.text, all.parameters, until: deadline).count
        } catch {
          isUncertain = isUncertain || error.isOfConnection || error.local == .unconfirmed
          guard error.state == Self.divisionByZero else { throw error }
          if isUncertain, try areStored(changes, connection, until: deadline) { return 1 }
          isUncertain = false
          throw PostgresError(.outdated, changes.first?.app ?? "")
        }
      }
    } catch {
      throw isUncertain ? .uncertain : error
    }
  }

  /// Whether the database has all documents that the changes store, each with exactly this content. Removed documents are not checked.
  private func areStored(
    _ changes: [DocumentChange], _ connection: PostgresConnection, until deadline: UInt64
  ) throws(PostgresError) -> Bool {
    let put = changes.filter { $0.body != nil }
    var parameters = Parameters()
    let text = "SELECT count(*) FROM @documents WHERE \"check\" = ANY(\(parameters.add(put.map { Optional($0.value(check)) }))::bigint[])"
    let found = try connection.run(text, parameters, until: deadline)
    return found.first?.integer(0) == put.count
  }

  private var check: RowCheck { RowCheck(database.hashKey) }

  /// The SQLSTATE of a division by zero, with which the statement of a change fails if a document has another version than the known one.
  private static let divisionByZero = "22012"

  /// Returns a single statement, which is a transaction even behind a pooler. If a change cannot be made, the statement deliberately
  /// divides by zero, so that it fails and stores nothing.
  private func statement(_ changes: [DocumentChange], _ texts: [String: String]) -> (text: String, parameters: Parameters) {
    var parameters = Parameters()
    let hashes = texts.keys.sorted()
    let text = """
      WITH given AS (SELECT * FROM unnest(
          \(parameters.add(changes.map { Optional($0.kind.rawValue) }))::text[], \(parameters.add(changes.map { Optional($0.app) }))::text[],
          \(parameters.add(changes.map { Optional($0.name) }))::text[], \(parameters.add(changes.map { Optional($0.known) }))::bigint[],
          \(parameters.add(changes.map { Optional($0.version) }))::bigint[], \(parameters.add(changes.map(\.body)))::text[],
          \(parameters.add(changes.map { Optional($0.value(check)) }))::bigint[]) AS g (kind, app, name, known, version, body, "check")),
        new_definitions AS (INSERT INTO @definitions (hash, text)
          SELECT * FROM unnest(\(parameters.add(hashes.map { Optional($0) }))::text[], \(parameters.add(hashes.map { texts[$0] }))::text[])
          ON CONFLICT DO NOTHING),
        added AS (INSERT INTO @documents (kind, app, name, version, body, "check")
          SELECT kind, app, name, version, body, "check" FROM given WHERE body IS NOT NULL AND known = 0
          ON CONFLICT DO NOTHING RETURNING 1),
        changed AS (UPDATE @documents d SET version = g.version, body = g.body, "check" = g."check" FROM given g
          WHERE d.kind = g.kind AND d.app = g.app AND d.name = g.name AND d.version = g.known AND g.body IS NOT NULL RETURNING 1),
        removed AS (DELETE FROM @documents d USING given g
          WHERE d.kind = g.kind AND d.app = g.app AND d.name = g.name AND d.version = g.known AND g.body IS NULL RETURNING 1),
        made AS (SELECT (SELECT count(*) FROM added) AS added, (SELECT count(*) FROM changed) AS changed, (SELECT count(*) FROM removed) AS removed),
        counted AS (\(RowCounts.adding("(SELECT added - removed FROM made)")))
      SELECT 1 / (added + changed + removed = \(parameters.add(changes.count))::bigint)::integer FROM made
      """
    return (text, parameters)
  }
}
