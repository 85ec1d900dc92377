import CairnMigrations
import CairnRuntime

/// Runs migrations for `cairn migrate`, with a role that may create tables.
package enum PostgresMigration {
  /// Runs the pending migrations, and grants `role` the rights of a node. Returns the number of migrations that were run.
  package static func run(
    _ target: PostgresTarget, erasures: PostgresTarget?, grantingTo role: String?
  ) throws(PostgresJournalError) -> Int {
    let list = (erasures ?? target).forErasures
    try with(list) { (connection, deadline) throws(PostgresError) in
      try SharedErasureList.create(list, until: deadline)
      if let role { try connection.script(rights(of: role, list), until: deadline) }
    }
    return try with(target) { (connection, deadline) throws(PostgresError) in
      let applied = try Schema.applied(connection, target, until: deadline)
      try Schema.migrate(connection, target, until: deadline)
      if let role { try connection.script(grants(to: role, target), until: deadline) }
      return PostgresMigrations.all.count - applied
    }
  }

  /// The statements that `run` would execute.
  package static func statements(
    _ target: PostgresTarget, erasures: PostgresTarget?, grantingTo role: String?
  ) throws(PostgresJournalError) -> String {
    let applied = try with(target) { (connection, deadline) throws(PostgresError) in
      let applied = try Schema.applied(connection, target, until: deadline)
      try Schema.checkFormat(applied)
      try Schema.checkForms(applied, connection, until: deadline)
      return applied
    }
    let missing = Schema.statements(after: applied, target)
    let all = (missing.isEmpty ? [] : ["BEGIN;"] + missing + ["COMMIT;"]) + (role.map { [grants(to: $0, target)] } ?? [])
    let list = (erasures ?? target).forErasures
    let hasList = try with(list) { (connection, deadline) throws(PostgresError) in
      try SharedErasureList.exists(connection, list, until: deadline)
    }
    let remark = erasures == nil ? [] : ["-- In the database \(list.name), which has the list of erasures:"]
    let listed = (hasList ? [] : [SharedErasureList.statements(list)]) + (role.map { [rights(of: $0, list)] } ?? [])
    return (all.map { target.text($0) } + (listed.isEmpty ? [] : remark + listed.map { list.text($0) })).joined(separator: "\n")
  }

  /// The statements that grant the rights of a node, and set the options that its connections need if a pooler does not pass them.
  private static func grants(to role: String, _ target: PostgresTarget) -> String {
    let name = quoted(role)
    return """
      \(rights(of: role, target))
      ALTER ROLE \(name) SET statement_timeout = '10s';
      ALTER ROLE \(name) SET lock_timeout = '2s';
      ALTER ROLE \(name) SET plan_cache_mode = 'force_generic_plan';
      """
  }

  private static func quoted(_ role: String) -> String { "\"\(role.replacing("\"", with: "\"\""))\"" }

  /// The statements that grant the rights of a node in one schema.
  private static func rights(of role: String, _ target: PostgresTarget) -> String {
    let name = quoted(role)
    return """
      GRANT USAGE ON SCHEMA "\(target.schema)" TO \(name);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(target.schema)" TO \(name);
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA "\(target.schema)" TO \(name);
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
