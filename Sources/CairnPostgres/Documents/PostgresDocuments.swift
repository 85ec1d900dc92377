import CairnCore
import CairnRuntime
import CairnJournal

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

  private static let columns = "app, definition, since, author, above"

  func editions() throws(JournalError) -> StoredEditions {
    let rows = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT DISTINCT ON (app) \(Self.columns), number FROM @editions ORDER BY app, number DESC", until: deadline)
    }.rows
    return StoredEditions(rows.map { .init(Edition($0), number: $0.integer(5)) })
  }

  func editions(of app: String) throws(JournalError) -> [Edition] {
    var parameters = Parameters()
    let name = parameters.add(app)
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT \(Self.columns) FROM @editions WHERE app = \(name)::text ORDER BY number DESC LIMIT \(Edition.limit)", parameters,
        until: deadline)
    }.rows.reversed().map { Edition($0) }
  }

  /// Each edition gets the next number. The table's key prevents two nodes from publishing the same number at the same time.
  func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?
  ) throws(JournalError) {
    let apps = Set(editions.map(\.app)).sorted()
    let outdated = JournalError.outdated(app: apps.first ?? "")
    try database.writing.withLock { writing throws(JournalError) in
      guard !writing.isClosed else { throw .closed }
      let deadline = Monotonic.deadline(after: PostgresDatabase.timeout)
      do throws(PostgresError) {
        var parameters = Parameters()
        let list = parameters.add(apps.map { Optional($0) })
        let newest = try writing.connection.run(
          "SELECT DISTINCT ON (app) \(Self.columns), number FROM @editions WHERE app = ANY(\(list)::text[]) ORDER BY app, number DESC",
          parameters, until: deadline
        ).rows
        let found = Dictionary(newest.map { ($0.text(0), (edition: Edition($0), number: $0.integer(5))) }) { $1 }
        if let known {
          for app in apps where known[app] != found[app]?.edition { throw PostgresError(.outdated, app) }
        }
        let stored = try Self.insert(
          editions, texts, with: rollout, after: found.mapValues(\.number), writing.connection, until: deadline)
        if let rollout, stored.first?.integer(0) != 1 { throw PostgresError(.outdated, rollout.rollout.app) }
      } catch {
        if error.local == .outdated { throw .outdated(app: error.text) }
        throw error.isConstraint ? outdated : JournalError(error)
      }
    }
  }

  private static func insert(
    _ editions: [Edition], _ texts: [String: String], with rollout: RolloutChange?, after numbers: [String: Int],
    _ connection: PostgresConnection, until deadline: UInt64
  ) throws(PostgresError) -> PostgresResult {
    var numbers = numbers
    var rows: [Int?] = []
    for edition in editions {
      let (next, isTooLarge) = numbers[edition.app, default: 0].addingReportingOverflow(1)
      guard !isTooLarge else { throw PostgresError(text: "the newest edition of \(edition.app) already has the maximum number") }
      numbers[edition.app] = next
      rows.append(numbers[edition.app])
    }
    let hashes = texts.keys.sorted()
    var parameters = Parameters()
    // If the rollout is not stored, no edition is stored.
    let change = rollout.map { RowCounts.parts(of: statement($0, &parameters), in: "rollouts") + ",\n" } ?? ""
    let condition = rollout == nil ? "" : " WHERE EXISTS (SELECT FROM put)"
    let result = rollout == nil ? "1" : "(SELECT count(*) FROM put)"
    return try connection.run(
      """
      WITH \(change)new_definitions AS (INSERT INTO @definitions (hash, text)
          SELECT * FROM unnest(\(parameters.add(hashes.map { Optional($0) }))::text[], \(parameters.add(hashes.map { texts[$0] }))::text[])
          ON CONFLICT DO NOTHING),
        old AS (DELETE FROM @editions e USING unnest(\(parameters.add(numbers.keys.map { Optional($0) }))::text[],
          \(parameters.add(numbers.values.map { Optional($0) }))::bigint[]) AS q (app, newest)
          WHERE e.app = q.app AND e.number <= q.newest - \(Edition.limit)),
        new_editions AS (INSERT INTO @editions (number, app, definition, since, author, above)
      SELECT * FROM unnest(\(parameters.add(rows))::bigint[], \(parameters.add(editions.map { Optional($0.app) }))::text[],
        \(parameters.add(editions.map { Optional($0.definition) }))::text[], \(parameters.add(editions.map { Optional($0.since) }))::bigint[],
        \(parameters.add(editions.map(\.author)))::text[], \(parameters.add(editions.map(\.above)))::text[])\(condition))
      SELECT \(result)
      """, parameters, until: deadline)
  }

}

extension Edition {
  /// Reads the columns app, definition, since, author and above.
  fileprivate init(_ row: PostgresResult.Row) {
    self.init(
      app: row.text(0), definition: row.text(1), since: row.integer(2), author: row.optionalText(3), above: row.optionalText(4))
  }
}
