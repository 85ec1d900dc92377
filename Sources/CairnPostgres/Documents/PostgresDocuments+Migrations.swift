import CairnRuntime
import CairnJournal

// The migration documents of apps.
extension PostgresDocuments {
  func migrations(of app: String) throws(JournalError) -> [StoredMigration] {
    var parameters = Parameters()
    let name = parameters.add(app)
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT app, old, new, document, since, author FROM @app_migrations WHERE app = \(name)::text ORDER BY old, new", parameters,
        until: deadline)
    }.rows.map {
      StoredMigration(
        app: $0.text(0), from: $0.text(1), to: $0.text(2), document: $0.text(3), since: $0.integer(4), author: $0.optionalText(5))
    }
  }

  func keep(_ migration: StoredMigration) throws(JournalError) {
    var parameters = Parameters()
    let values = [
      parameters.add(migration.app), parameters.add(migration.from), parameters.add(migration.to), parameters.add(migration.document),
    ]
    let (since, author) = (parameters.add(migration.since), parameters.add(migration.author))
    let text = """
      INSERT INTO @app_migrations (app, old, new, document, since, author)
      VALUES (\(values.map { "\($0)::text" }.joined(separator: ", ")), \(since)::bigint, \(author)::text)
      ON CONFLICT (app, old, new) DO UPDATE SET document = excluded.document, since = excluded.since, author = excluded.author
      """
    let all = parameters
    _ = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run(RowCounts.counting(text, in: "app_migrations"), all, until: deadline)
    }
  }
}
