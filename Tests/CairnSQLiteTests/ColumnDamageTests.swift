import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Damages one value at a time in each column of each table, and runs the service. New columns are included automatically.
@Suite(.tags(.timing), .ownThreads) struct `Damage in a column while the service runs` {
  private let database: TemporaryDatabase

  init() throws {
    database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try DamagedApp.fill(bench)
    try wait(until: { !journal.figures.isErasing })
    bench.store.stop()
  }

  /// The values that are written into each column, whatever its type.
  private static let values = ["-9223372036854775808", "9223372036854775807", "'garbage'"]
  /// Tables without which nothing can be served. If one is damaged, the service does not start, and prints a message.
  private static let needed: Set<String> = ["settings", "marks", "migrations"]

  /// The SQL conditions of the rows to damage: rows of the damaged app or of its first session, and any row of other tables.
  private static func conditions(_ table: String, _ columns: Set<String>) -> [String] {
    if table == "documents" { return DocumentKind.allCases.map { "app = 'trial' AND kind = '\($0.rawValue)'" } }
    if table == "sessions" { return ["id = 'v'"] }
    if table == "secrets" { return ["session = 'v'"] }
    if table == "definitions" { return ["hash = 'hash-of-trial'"] }
    if columns.contains("session"), table != "tombstones", table != "forgotten" { return ["session = 1"] }
    return ["true"]
  }

  private func change(_ path: String, _ statement: String) throws -> Int {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      do {
        try db.execute(sql: statement)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH {
        // The column cannot have this value.
        return 0
      }
      return db.changesCount
    }
  }

  @Test func `is not noticed by the users of other apps, stops no service, and is reported`() throws {
    let queue = try DatabaseQueue(path: database.path)
    let columns = try queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT s.name AS tbl, c.name AS col FROM sqlite_schema s JOIN pragma_table_info(s.name) c
          WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid
          """
      ).map { (table: $0["tbl"] as String, column: $0["col"] as String) }
    }
    try queue.close()
    let withoutRowID = Set(["settings", "marks", "secrets", "definitions", "forgotten", "migrations"])
    let tables = Dictionary(grouping: columns, by: \.table).mapValues { Set($0.map(\.column)) }
    #expect(tables.count == 14)
    var faults: [String] = []
    for (table, column) in columns {
      for (value, damaged) in Self.conditions(table, tables[table] ?? []).flatMap({ condition in Self.values.map { ($0, condition) } }) {
        let copy = try database.crashed()
        var condition = damaged
        if table == "documents" {
          condition = "(kind, app, name) = (SELECT kind, app, name FROM documents WHERE \(condition) ORDER BY name DESC LIMIT 1)"
        } else if !withoutRowID.contains(table) {
          condition = "rowid = (SELECT max(rowid) FROM \(table) WHERE \(condition))"
        }
        let changed = try change(
          copy.path, "UPDATE \(table) SET \"\(column)\" = \(value) WHERE \(condition) AND \"\(column)\" IS NOT \(value)")
        guard changed > 0 else { continue }
        let place = "\(table).\(column) = \(value) where \(damaged)"
        if try !isReported(copy) { faults.append("\(place): verify says whole") }
        do {
          let bench = try StoreBench(try copy.open())
          faults += DamagedApp.use(bench).map { "\(place): \($0)" }
          bench.store.stop()
        } catch {
          if !Self.needed.contains(table) { faults.append("\(place): no start: \(error)") }
        }
      }
    }
    #expect(faults == [], "\(faults.joined(separator: "\n"))")
  }

  /// Whether `cairn verify` reports a fault.
  private func isReported(_ database: TemporaryDatabase) throws -> Bool {
    do {
      let journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
      defer { journal.close() }
      return try !DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults.isEmpty
    } catch is SQLiteJournalError {
      return true
    } catch is JournalError {
      return true
    }
  }
}
