import CairnCore
import CairnRuntime
import CairnCrypto
package import CairnJournal
import Foundation
import GRDB

// Opens a database for reading only, even while a service writes to it.
extension SQLiteJournal {
  /// Opens a database for inspection. Writes nothing, and holds no lock that could block other processes. `keys` is `nil` if secrets will
  /// not be decrypted.
  package convenience init(inspecting path: String, keys: [[UInt8]]?) throws(SQLiteJournalError) {
    try self.init(reading: path, as: path, keys: keys, readers: 1)
  }

  /// Opens a database on a disk that cannot be written, to serve reads. Nothing is written. `readers` is the number of threads that read
  /// concurrently.
  package convenience init(readingOnly path: String, keys: [[UInt8]], readers: Int) throws(SQLiteJournalError) {
    // In WAL mode, SQLite needs further files beside the database, which cannot be created on this disk. A database without a log can be
    // read as an immutable file instead.
    let isWhole = Disk.size(of: path + "-wal") ?? 0 == 0
    let text = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    try self.init(reading: path, as: isWhole ? "file:\(text)?immutable=1" : path, keys: keys, readers: readers)
  }

  private convenience init(reading path: String, as name: String, keys: [[UInt8]]?, readers: Int) throws(SQLiteJournalError) {
    guard Disk.size(of: path) != nil else { throw .directory(path: path, reason: "the file does not exist") }
    let secrets = SecretBox(keys: keys ?? [])
    do {
      var configuration = Self.reading
      configuration.maximumReaderCount = readers
      let pool = try DatabasePool(path: name, configuration: configuration)
      let (heads, hashKey, derivationKey) = try pool.read { db in
        try MigrationRunner(path: path, migrations: Self.migrations).check(db)
        if let keys {
          guard try Seals.opens(db, secrets) else {
            throw SQLiteJournalError.wrongKey(path: path, given: keys.map { KeyFile.id(of: $0) }, made: try Seals.keyID(db))
          }
        }
        let hashKey = try SettingsTable(db).hashKey()
        return (try Heads(db, RowCheck(hashKey)), hashKey, keys == nil ? [] : try Seals.derivationKey(db, secrets, path: path))
      }
      self.init(inspecting: pool, at: path, secrets, heads, hashKey, derivationKey: derivationKey)
    } catch {
      throw Self.fault(error, path: path)
    }
  }

  /// The findings of SQLite's integrity check; empty if it finds no faults. Reads the whole database.
  package func integrityFaults() throws(JournalError) -> [String] {
    do {
      return try database.guarded { try database.pool.read { db in try Integrity.faults(db) } }
    } catch {
      guard case .corrupt(let text) = error else { throw error }
      return [text]
    }
  }

  /// The number of secrets, and the sessions with faulty secrets. A secret is faulty if its check value is wrong or, if `opening` is set,
  /// if no key decrypts it.
  package func secretFaults(opening: Bool = true) throws(JournalError) -> (count: Int, sessions: [String]) {
    var (count, faults, last) = (0, [String](), (session: "", slot: 0))
    while true {
      let (from, box, check) = (last, database.secrets, database.check)
      let rows = try database.guarded {
        try database.pool.read { db in
          try Row.fetchAll(
            db, sql: "SELECT session, slot, box, \"check\" FROM secrets WHERE (session, slot) > (?, ?) ORDER BY session, slot LIMIT 500",
            arguments: [from.session, from.slot]
          ).map { row -> (session: String, slot: Int, isWhole: Bool) in
            let secret = SecretRow(session: row["session"], slot: row["slot"], box: row["box"])
            let opens = !opening || box.open(secret.box, for: SecretSlot(number: secret.slot).purpose(of: secret.session)) != nil
            return (secret.session, secret.slot, opens && secret.value(check) == row["check"])
          }
        }
      }
      count += rows.count
      faults += rows.filter { !$0.isWhole }.map(\.session)
      guard let end = rows.last else { return (count, faults) }
      last = (end.session, end.slot)
    }
  }
}
