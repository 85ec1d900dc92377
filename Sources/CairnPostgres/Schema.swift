import CairnCore
import CairnMigrations

/// The tables of a journal, and the migrations that create and change them.
enum Schema {
  /// The number of attempts to migrate, if other nodes migrate at the same time.
  private static let attempts = 10

  /// Runs the pending migrations in one transaction. If the schema does not exist, this creates it and its tables. Nodes that migrate at
  /// the same time wait for each other.
  static func migrate(_ connection: PostgresConnection, _ target: PostgresTarget, until deadline: UInt64) throws(PostgresError) {
    for attempt in 1...attempts {
      do throws(PostgresError) {
        return try run(connection, target, until: deadline)
      } catch {
        // Another node has just created the same object.
        let isTaken = error.isTemporary || ["23505", "42P06", "42P07", "42710"].contains(error.state)
        try? connection.script("ROLLBACK", until: deadline)
        guard isTaken, attempt < attempts else { throw error }
      }
    }
  }

  private static func run(_ connection: PostgresConnection, _ target: PostgresTarget, until deadline: UInt64) throws(PostgresError) {
    let applied = try applied(connection, target, until: deadline)
    try checkFormat(applied)
    try checkForms(applied, connection, until: deadline)
    guard applied < PostgresMigrations.all.count else { return }
    try connection.script("BEGIN", until: deadline)
    let tables = tablesInEarlierForms(applied)
    if !tables.isEmpty {
      // A node of an earlier version may have stored data since the check. The lock prevents it from storing more.
      try connection.script("LOCK TABLE \(tables.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE", until: deadline)
      try checkForms(applied, connection, until: deadline)
    }
    // The row of the first pending migration serves as a lock: a second node that inserts it waits until the first node has committed, and
    // then fails and tries again.
    for statement in statements(after: applied, target) { try connection.script(statement, until: deadline) }
    try connection.script("COMMIT", until: deadline)
  }

  /// The statements of the migrations after the first `applied` ones, for one transaction.
  static func statements(after applied: Int, _ target: PostgresTarget) -> [String] {
    let missing = PostgresMigrations.all.enumerated().dropFirst(applied)
    guard !missing.isEmpty else { return [] }
    let table = """
      CREATE SCHEMA IF NOT EXISTS "\(target.schema)";
      CREATE TABLE IF NOT EXISTS @migrations (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now());
      """
    return [table] + missing.flatMap { ["INSERT INTO @migrations (number, name) VALUES (\($0 + 1), '\($1.name)');", $1.sql] }
  }

  /// Throws if a newer version has migrated the tables. With `isComplete` it also throws if migrations are missing.
  static func checkFormat(_ applied: Int, isComplete: Bool = false) throws(PostgresError) {
    let known = PostgresMigrations.all.count
    if isComplete, applied < known {
      throw PostgresError(.newer, "its tables have format \(applied) of \(known); start a node or run cairn migrate first")
    }
    guard applied <= known else {
      throw PostgresError(.newer, "its tables have format \(applied), but this version supports \(known); start a newer version")
    }
  }

  /// Returns the tables whose rows can have an earlier form of entries, states or documents, which this version does not read. `applied` is the number of
  /// applied migrations.
  private static func tablesInEarlierForms(_ applied: Int) -> [String] {
    switch applied {
    case 1...3: ["@sessions", "@editions"]
    case 4: ["@sessions", "@documents"]
    case 5: ["@documents"]
    default: []
    }
  }

  /// Throws if the tables have sessions or documents in an earlier form. `applied` is the number of applied migrations.
  static func checkForms(_ applied: Int, _ connection: PostgresConnection, until deadline: UInt64) throws(PostgresError) {
    let tables = tablesInEarlierForms(applied)
    guard !tables.isEmpty else { return }
    let hasData = "SELECT " + tables.map { "EXISTS (SELECT 1 FROM \($0))" }.joined(separator: " OR ")
    guard try connection.run(hasData, until: deadline).first?.bool(0) == true else { return }
    if tables.contains("@documents") {
      let rows = try connection.run(
        "SELECT app, count(*) FROM @documents WHERE kind = 'edition' GROUP BY app ORDER BY app", until: deadline
      ).rows
      let apps = rows.map { $0.text(0) }
      let count = rows.reduce(0) { $0 + $1.integer(1) }
      if !apps.isEmpty {
        throw PostgresError(
          .newer,
          "\(CountText.of(count, "definition")) of \(apps.joined(separator: ", ")) use words of an earlier language version, which this version does not read; "
            + "nothing was changed; start on another schema or database, and publish there the files that cairn fix has rewritten")
      }
    }
    throw PostgresError(
      .newer, "the format of its data (\(applied)) is no longer read; nothing was changed; start on another schema or database")
  }

  /// The number of applied migrations; 0 if the tables do not exist.
  static func applied(
    _ connection: PostgresConnection, _ target: PostgresTarget, until deadline: UInt64
  ) throws(PostgresError) -> Int {
    var parameters = Parameters()
    let name = parameters.add("\"\(target.schema)\".migrations")
    let found = try connection.run("SELECT to_regclass(\(name)::text) IS NOT NULL", parameters, until: deadline)
    guard found.first?.bool(0) == true else { return 0 }
    return try connection.run("SELECT coalesce(max(number), 0) FROM @migrations", until: deadline).first?.integer(0) ?? 0
  }
}
