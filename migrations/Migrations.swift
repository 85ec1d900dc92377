/// The schema, in the order in which it is applied. A file that was released is never changed; a change is a new file.
package enum Migrations {
  /// File names without ending, and the SQL statements in them.
  // (SwiftPM makes an identifier of a file name by putting `_` in the place of its first character.)
  package static let all: [(name: String, sql: String)] = [
    ("0001_sessions", String(decoding: PackageResources._001_sessions_sql, as: UTF8.self)),
    ("0002_snapshots", String(decoding: PackageResources._002_snapshots_sql, as: UTF8.self)),
    ("0003_lists", String(decoding: PackageResources._003_lists_sql, as: UTF8.self)),
    ("0004_answers", String(decoding: PackageResources._004_answers_sql, as: UTF8.self)),
    ("0005_editions", String(decoding: PackageResources._005_editions_sql, as: UTF8.self)),
  ]
}
