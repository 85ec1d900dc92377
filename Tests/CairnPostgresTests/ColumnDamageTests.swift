import CairnCore
import CairnPostgresTesting
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnPostgres

/// Damages one value at a time in each column of each table, the list of erasures included. New columns are found by themselves.
@Suite(.tags(.timing), .ownThreads) struct `Damage in a column on PostgreSQL` {
  private let key = [UInt8](repeating: 7, count: 32)
  private let server: PostgresServer
  private let whole: String

  init() throws {
    server = try PostgresServer.shared.get()
    whole = try server.createDatabase()
    let bench = try StoreBench(PostgresJournal(PostgresTarget(server.url(whole)), keys: [key]))
    try DamagedApp.fill(bench)
    bench.store.stop()
  }

  private func sql(_ database: String, _ statement: String) throws -> String {
    try server.run("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", statement, server.url(database)])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The values that are written into a column of a type.
  private static func values(_ type: String, isNullable: Bool) -> [String] {
    let values =
      switch type {
      case "bigint": ["9223372036854775807", "-9223372036854775808"]
      case "integer": ["2147483647"]
      case "text": ["'garbage'"]
      case "bytea": ["'\\x00ff'"]
      case "boolean": ["true", "false"]
      case "ARRAY": ["'{}'"]
      default: ["'infinity'", "'-infinity'"]
      }
    return values + (isNullable ? ["NULL"] : [])
  }

  /// The row to damage: that of the damaged app's first session, or of the app, or any.
  private static func condition(_ table: String, _ columns: Set<String>) -> String {
    if columns.contains("app"), table != "sessions" { return "app = 'trial'" }
    if table == "sessions" { return "id = 'v'" }
    if table == "definitions" { return "hash = 'hash-of-trial'" }
    if columns.contains("session"), table != "tombstones", table != "forgotten" { return "session = 1" }
    return "true"
  }

  /// Tables without which nothing can be read: the start of the service is refused, with a message.
  private static let needed: Set<String> = ["settings", "migrations"]
  /// Columns whose damage `cairn verify` does not report, because nothing else in the database tells their value. docs/cluster.md has this list.
  private static let unreported: Set<String> = [
    "answers", "beginnings", "changes", "editions", "effects", "erasures", "forgotten", "heads", "marks", "migrations", "nodes", "pages",
    "rollouts", "app_migrations", "secrets.slot", "sessions.manual", "sessions.number", "snapshots", "tasks", "tickets", "tombstones",
  ]

  // Each value gets a database and a service of its own, which takes longer than all other tests together.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CAIRN_TEST_COLUMNS"] != nil, "set CAIRN_TEST_COLUMNS: it takes long"))
  func `is not noticed by the users of other apps, stops no service, and is reported`() throws {
    let found = try sql(
      whole,
      """
      SELECT table_schema, table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema LIKE 'cairn%' ORDER BY 1, 2, ordinal_position
      """
    ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    let columns = Dictionary(grouping: found) { "\($0[0]).\($0[1])" }
    #expect(columns.count >= 20)
    var faults: [String] = []
    for column in found {
      let (table, name) = (column[1], column[2])
      let place = "\(column[0]).\(table)"
      let condition = Self.condition(table, Set((columns[place] ?? []).map { $0[2] }))
      for value in Self.values(column[3], isNullable: column[4] == "YES") {
        let copy = "d\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try server.sql("CREATE DATABASE \(copy) TEMPLATE \(whole)")
        defer { _ = try? server.sql("DROP DATABASE \(copy) WITH (FORCE)") }
        let changed = try sql(
          copy,
          """
          WITH one AS (SELECT ctid AS place FROM \(place) WHERE \(condition) LIMIT 1),
            changed AS (UPDATE \(place) t SET "\(name)" = \(value) FROM one WHERE t.ctid = one.place AND t."\(name)" IS DISTINCT FROM \(value) RETURNING 1)
          SELECT count(*) FROM changed
          """)
        guard changed == "1" else { continue }
        let isReported = try report(copy)
        if !isReported, !Self.unreported.contains(table), !Self.unreported.contains("\(table).\(name)") {
          faults.append("\(table).\(name) = \(value): verify says whole")
        }
        do {
          let bench = try StoreBench(PostgresJournal(PostgresTarget(server.url(copy)), keys: [key]))
          faults += DamagedApp.use(bench).map { "\(table).\(name) = \(value): \($0)" }
          bench.store.stop()
        } catch {
          if !Self.needed.contains(table) { faults.append("\(table).\(name) = \(value): no start: \(error)") }
        }
      }
    }
    #expect(faults == [], "\(faults.joined(separator: "\n"))")
  }

  /// Whether `cairn verify` would report something.
  private func report(_ database: String) throws -> Bool {
    do {
      let journal = try PostgresJournal(PostgresTarget(server.url(database)), keys: [key], for: .inspection)
      defer { journal.close() }
      let erasures = try journal.outstandingErasures()
      return try !erasures.isEmpty || !JournalCheck(journal, opensSecrets: true) { try Trial.read($0) }.faults.isEmpty
    } catch is PostgresJournalError {
      return true
    } catch is JournalError {
      return true
    }
  }
}
