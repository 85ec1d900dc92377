package import CairnJournal

/// The numbers of rows of tables whose rows are never deleted, stored in the table `settings`, so that a missing row is detected.
enum RowCounts {
  static let tables = ["app_migrations", "rollouts"]

  /// Extends a statement that inserts or updates a row of a table, so that it also updates the stored number of rows. The result has a row if the statement
  /// wrote one.
  static func counting(_ statement: String, in table: String) -> String {
    "WITH \(parts(of: statement, in: table)) SELECT 1 FROM put"
  }

  /// The parts of a `WITH` that run the statement and count its row. The part `put` has a row if the statement wrote one.
  static func parts(of statement: String, in table: String) -> String {
    """
    put AS (\(statement) RETURNING (xmax = 0) AS is_new),
      counted AS (INSERT INTO @settings AS s (name, value)
        SELECT '\(name(table))', convert_to(((SELECT count(*) FROM @\(table)) + 1)::text, 'UTF8') FROM put WHERE is_new
        ON CONFLICT (name) DO UPDATE SET value = convert_to((convert_from(s.value, 'UTF8')::bigint + 1)::text, 'UTF8'))
    """
  }

  fileprivate static func name(_ table: String) -> String { "rows of \(table)" }
}

extension PostgresJournal {
  /// One line for each table whose number of rows differs from the recorded one.
  package func missingRows() throws(JournalError) -> [String] {
    var faults: [String] = []
    for table in RowCounts.tables {
      let row = try database.read { (connection, deadline) throws(PostgresError) in
        try connection.run(
          "SELECT value, (SELECT count(*) FROM @\(table)) FROM @settings WHERE name = '\(RowCounts.name(table))'", until: deadline
        ).first
      }
      guard let row else { continue }
      let written = Int(String(decoding: row.bytes(0), as: UTF8.self))
      if written != row.integer(1) {
        faults.append(
          "the table \(table) has \(row.integer(1)) rows, but \(written.map(String.init) ?? "an unknown number of them") were written")
      }
    }
    return faults
  }
}
