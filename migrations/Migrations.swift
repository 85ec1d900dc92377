/// The schema, in the order in which it is applied. A released file is never changed; each change of the schema is a new file. The number of files is the
/// format of a database. So a change of the format of causes, differences or states is a new file too, even if the file contains only a comment.
package enum Migrations {
  /// File names without ending, and the SQL statements in them.
  // (SwiftPM makes an identifier of a file name by replacing its first character with `_`.)
  package static let all: [(name: String, sql: String)] = [
    ("0001_journal", String(decoding: PackageResources._001_journal_sql, as: UTF8.self)),
    ("0002_app_migrations", String(decoding: PackageResources._002_app_migrations_sql, as: UTF8.self)),
    ("0003_forgetting", String(decoding: PackageResources._003_forgetting_sql, as: UTF8.self)),
    ("0004_forms", String(decoding: PackageResources._004_forms_sql, as: UTF8.self)),
    ("0005_places", String(decoding: PackageResources._005_places_sql, as: UTF8.self)),
    ("0006_language", String(decoding: PackageResources._006_language_sql, as: UTF8.self)),
  ]
}

/// The schema on PostgreSQL, in the order in which it is applied. `@` in the statements stands for the schema's name.
package enum PostgresMigrations {
  package static let all: [(name: String, sql: String)] = [
    ("0001_tables", String(decoding: PackageResources._001_tables_sql, as: UTF8.self)),
    ("0002_app_migrations_tables", String(decoding: PackageResources._002_app_migrations_tables_sql, as: UTF8.self)),
    ("0003_forgetting_tables", String(decoding: PackageResources._003_forgetting_tables_sql, as: UTF8.self)),
    ("0004_forms_tables", String(decoding: PackageResources._004_forms_tables_sql, as: UTF8.self)),
    ("0005_places_tables", String(decoding: PackageResources._005_places_tables_sql, as: UTF8.self)),
    ("0006_language_tables", String(decoding: PackageResources._006_language_tables_sql, as: UTF8.self)),
  ]

  /// The statements that create the list of erasures, unless it exists. `@` stands for the list's schema.
  package static let erasures = String(decoding: PackageResources.erasures_sql, as: UTF8.self)
}
