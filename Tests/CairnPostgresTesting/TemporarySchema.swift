package import CairnPostgres
import Foundation

/// A schema of the shared server.
package struct TemporarySchema {
  package let target: PostgresTarget
  /// The journal's key, which has 32 bytes.
  package let key = [UInt8](repeating: 7, count: 32)

  /// Creates the schema. If `pooler` is given, connections go through PgBouncer, and statements are not prepared.
  package init(through pooler: Pooler? = nil) throws {
    let server = try PostgresServer.shared.get()
    let url = pooler.map { "postgres://cairn@127.0.0.1:\($0.port)/postgres" } ?? server.url()
    target = try PostgresTarget(
      url, schema: "t\(UUID().uuidString.lowercased().replacing("-", with: ""))", isPrepared: pooler == nil)
  }

  package func open() throws -> PostgresJournal { try PostgresJournal(target, keys: [key]) }

  /// Runs a statement, in which `@` stands for the schema.
  @discardableResult package func sql(_ statement: String) throws -> String {
    try PostgresServer.shared.get().sql(statement.replacing("@", with: "\"\(target.schema)\"."))
  }
}
