import CairnMigrations
import CairnRuntime

/// Migrations by a command, for a role that may create tables.
package enum PostgresMigration {
  /// Runs what is missing, and gives `role` the rights of a node. Returns the number of migrations.
  package static func run(_ target: PostgresTarget, grantingTo role: String?) throws(PostgresJournalError) -> Int {
    try with(target) { (connection, deadline) throws(PostgresError) in
      let applied = try Schema.applied(connection, target, until: deadline)
      try Schema.migrate(connection, target, until: deadline)
      if let role { try connection.script(grants(to: role, target), until: deadline) }
      return PostgresMigrations.all.count - applied
    }
  }

  /// The statements that `run` would execute.
  package static func statements(_ target: PostgresTarget, grantingTo role: String?) throws(PostgresJournalError) -> String {
    let applied = try with(target) { (connection, deadline) throws(PostgresError) in
      let applied = try Schema.applied(connection, target, until: deadline)
      try Schema.checkFormat(applied)
      return applied
    }
    let missing = Schema.statements(after: applied, target)
    let all = (missing.isEmpty ? [] : ["BEGIN;"] + missing + ["COMMIT;"]) + (role.map { [grants(to: $0, target)] } ?? [])
    return all.map { target.text($0) }.joined(separator: "\n")
  }

  /// The rights of a node, and the settings that its connections need if a pooler does not pass them on.
  private static func grants(to role: String, _ target: PostgresTarget) -> String {
    let name = "\"\(role.replacing("\"", with: "\"\""))\""
    return """
      GRANT USAGE ON SCHEMA "\(target.schema)" TO \(name);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(target.schema)" TO \(name);
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA "\(target.schema)" TO \(name);
      ALTER ROLE \(name) SET statement_timeout = '10s';
      ALTER ROLE \(name) SET lock_timeout = '2s';
      ALTER ROLE \(name) SET plan_cache_mode = 'force_generic_plan';
      """
  }

  private static func with<Result>(
    _ target: PostgresTarget, _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result
  ) throws(PostgresJournalError) -> Result {
    let connection = PostgresConnection(target, for: "migrate")
    defer { connection.close() }
    do throws(PostgresError) {
      return try work(connection, Monotonic.deadline(after: .seconds(60)))
    } catch {
      throw PostgresJournalError(error, target)
    }
  }
}
