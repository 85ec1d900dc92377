import CairnCrypto
import CairnJournal
import GRDB

/// Recovery from a lost secret key. All sessions are kept, and all encrypted secrets are replaced by empty ones.
package enum SecretLoss {
  /// The numbers of affected sessions, and the name of the new key.
  package struct Report: Hashable, Sendable {
    /// The number of sessions, all of which are kept.
    package var sessions: Int
    /// The number of sessions that lose secrets: an access token, the code of a token call, or a secret param.
    package var withoutSecrets: Int
    /// The name of the newest of the given keys. After a confirmed call, this key is the key of the database.
    package var keyID: String
  }

  /// Replaces all secrets by empty ones, and makes the newest of `keys` the database's key, in one transaction. Throws `.keyOpens` if one of the keys
  /// decrypts the database, because then nothing is lost. Without `isConfirmed` the sessions are only counted.
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

  /// Replaces each secret by an empty one that is encrypted with the new key. Sessions with a token get an empty token, which counts as
  /// rejected.
  private static func emptySecrets(_ secrets: SecretBox, _ db: Database) throws {
    let check = RowCheck(try SettingsTable(db).hashKey())
    for row in try Row.fetchAll(db, sql: "SELECT session, slot FROM secrets") {
      let (session, slot): (String, Int) = (row["session"], row["slot"])
      let box = secrets.seal("", for: SecretSlot(number: slot).purpose(of: session))
      try SecretRow(session: session, slot: slot, box: box).put(check, db)
    }
  }
}
