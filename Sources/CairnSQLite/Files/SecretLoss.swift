import CairnStore
import GRDB

/// Recovery from a lost secret key: all sessions stay, everything sealed is emptied.
package enum SecretLoss {
  /// The result, in numbers.
  package struct Report: Hashable, Sendable {
    /// All sessions; every one of them stays.
    package var sessions: Int
    /// Sessions whose access token, or code of a token call, is gone.
    package var withoutSecrets: Int
    /// The name of the key that the database is sealed with from now on.
    package var keyID: String
  }

  /// Empties everything that only the lost key opens and seals the database with the newest of `keys` instead, in one transaction. Throws
  /// `.keyOpens` if one of them opens the database: nothing is lost then. `isConfirmed`: false only counts.
  package static func forget(of database: String, keys: [[UInt8]], isConfirmed: Bool) throws(BackupFault) -> Report {
    let secrets = SecretBox(keys: keys)
    return try Maintenance.run(database) { db in
      guard try !Seals.opens(db, secrets) else { throw BackupFault.keyOpens(path: database) }
      let report = Report(
        sessions: try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions") ?? 0,
        withoutSecrets: try Int.fetchOne(db, sql: "SELECT count(DISTINCT session) FROM secrets") ?? 0,
        keyID: keys.first.map { KeyFile.id(of: $0) } ?? "none")
      guard isConfirmed else { return report }
      try db.inTransaction(.immediate) {
        try Seals.begin(db, secrets, keyID: report.keyID)
        try emptySecrets(secrets, db)
        return .commit
      }
      return report
    }
  }

  /// Puts an empty secret, sealed with the new key, in place of each one: a session that has a token keeps having one, which upstreams
  /// refuse as they refuse an expired one.
  private static func emptySecrets(_ secrets: SecretBox, _ db: Database) throws {
    let check = RowCheck(try SettingsTable(db).hashKey())
    for row in try Row.fetchAll(db, sql: "SELECT session, slot FROM secrets") {
      let (session, slot): (String, Int) = (row["session"], row["slot"])
      let box = try secrets.seal("", for: SecretSlot(number: slot).purpose(of: session))
      try SecretRow(session: session, slot: slot, box: box).put(check, db)
    }
  }
}
