import CairnCore
import CairnRuntime
package import CairnStore
import Foundation
import GRDB

// A database looked at from outside, also while a service writes to it.
extension SQLiteJournal {
  /// Opens a database to look at it: nothing is written, and no lock is held that others wait for. `keys`: nil, if its secrets are not to be
  /// opened.
  package convenience init(inspecting path: String, keys: [[UInt8]]?) throws(SQLiteJournalError) {
    try self.init(reading: path, as: path, keys: keys, readers: 1)
  }

  /// Opens a database whose disk cannot be written, to serve reads. Nothing is written. `readers`: threads that read at the same time.
  package convenience init(readingOnly path: String, keys: [[UInt8]], readers: Int) throws(SQLiteJournalError) {
    // A database in WAL mode needs files beside it that cannot be created here. Without a log it can be read as an immutable file.
    let isWhole = Disk.size(of: path + "-wal") ?? 0 == 0
    let text = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    try self.init(reading: path, as: isWhole ? "file:\(text)?immutable=1" : path, keys: keys, readers: readers)
  }

  private convenience init(reading path: String, as name: String, keys: [[UInt8]]?, readers: Int) throws(SQLiteJournalError) {
    guard Disk.size(of: path) != nil else { throw .directory(path: path, reason: "the file is not there") }
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
        return (try Heads(db), try SettingsTable(db).hashKey(), keys == nil ? [] : try Seals.derivationKey(db, secrets, path: path))
      }
      self.init(inspecting: pool, at: path, secrets, heads, hashKey, derivationKey: derivationKey)
    } catch {
      throw Self.fault(error, path: path)
    }
  }

  /// SQLite's findings about its pages; empty if there are none. Reads all of it.
  package func integrityFaults() throws(JournalError) -> [String] {
    do {
      return try guarded { try pool.read { db in try Integrity.faults(db) } }
    } catch {
      guard case .corrupt(let text) = error else { throw error }
      return [text]
    }
  }

  /// Hashes of all definitions.
  package func definitionHashes() throws(JournalError) -> [String] {
    try guarded { try pool.read { db in try String.fetchAll(db, sql: "SELECT hash FROM definitions ORDER BY hash") } }
  }

  /// How many secrets there are, and the sessions of those that are not what was written or, if they are opened, that none of the keys opens.
  package func secretFaults(opening: Bool = true) throws(JournalError) -> (count: Int, sessions: [String]) {
    var (count, faults, last) = (0, [String](), (session: "", slot: 0))
    while true {
      let (from, box, check) = (last, secrets, check)
      let rows = try guarded {
        try pool.read { db in
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
