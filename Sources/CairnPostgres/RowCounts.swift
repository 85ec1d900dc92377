import CairnCore
package import CairnJournal

/// The number of rows of the table `documents`, stored in the table `settings`, so that a missing row is detected.
enum RowCounts {
  private static let name = "rows of documents"

  /// The statement that adds `number`, an SQL expression, to the stored number. If the stored number is damaged, the rows are counted
  /// again.
  static func adding(_ number: String) -> String {
    """
    INSERT INTO @settings AS s (name, value)
      SELECT '\(name)', convert_to(((SELECT count(*) FROM @documents) + a.number)::text, 'UTF8') FROM (SELECT \(number) AS number) a WHERE a.number <> 0
      ON CONFLICT (name) DO UPDATE SET value = CASE WHEN encode(s.value, 'escape') ~ '^[0-9]{1,15}$'
        THEN convert_to((encode(s.value, 'escape')::bigint + \(number))::text, 'UTF8') ELSE excluded.value END
    """
  }

  /// The statement that reads the stored number, if one is stored, and the number of rows.
  fileprivate static let reading = "SELECT value, (SELECT count(*) FROM @documents) FROM @settings WHERE name = '\(name)'"
}

extension PostgresJournal {
  /// A single line for `cairn verify` if the number of documents differs from the recorded number; otherwise empty.
  package func missingRows() throws(JournalError) -> [String] {
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(RowCounts.reading, until: deadline).first
    }
    guard let row else { return [] }
    let written = Int(String(decoding: row.bytes(0), as: UTF8.self))
    if written == row.integer(1) { return [] }
    let rows = CountText.of(row.integer(1), "row")
    return ["the table documents has \(rows), but its recorded count is \(written.map(String.init) ?? "unknown")"]
  }
}
