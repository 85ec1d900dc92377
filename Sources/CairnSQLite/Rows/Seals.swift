import CairnCore
import CairnCrypto
import CairnJournal
import Foundation
import GRDB

/// Manages the encrypted values of a database: checks which keys decrypt them, and re-encrypts them with the newest key.
enum Seals {
  /// The number of secrets that one commit re-encrypts.
  private static let stride = 100

  /// Checks that one of the keys decrypts the database. Initializes the settings of a new database. Returns whether values encrypted with older keys
  /// remain.
  static func check(_ db: Database, _ secrets: SecretBox, keys: [[UInt8]], path: String) throws -> Bool {
    guard let box = try SettingsTable(db).value(.key) else {
      guard try SettingsTable(db).isEmpty() else {
        throw SQLiteJournalError.corrupt(path: path, reason: "its settings are incomplete: the encrypted probe of its key is missing")
      }
      try make(db, secrets)
      return false
    }
    guard try opens(db, secrets) else {
      throw SQLiteJournalError.wrongKey(path: path, given: keys.map { KeyFile.id(of: $0) }, made: try keyID(db))
    }
    return !secrets.isNew(box, for: "key")
  }

  /// Whether one of these keys decrypts the database.
  static func opens(_ db: Database, _ secrets: SecretBox) throws -> Bool {
    try SettingsTable(db).value(.key).map { secrets.open($0, for: "key") == "cairn" } ?? false
  }

  /// The name of the key with which all values are encrypted; `nil` if it was not recorded.
  static func keyID(_ db: Database) throws -> String? {
    try SettingsTable(db).value(.keyID).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates the settings of a new database in one transaction: the encrypted values, its id, and the key for hashes.
  private static func make(_ db: Database, _ secrets: SecretBox) throws {
    try db.inTransaction {
      let derivation = random(32)
      let settings = SettingsTable(db)
      try settings.set(.hashKey, Data(SipHash.Key(from: derivation, for: "entries").bytes))
      try settings.set(.id, Data(Hexadecimal.text(of: random(16)).utf8))
      try settings.set(.derivation, secrets.seal(Data(derivation).base64EncodedString(), for: "derivation"))
      try settings.set(.key, secrets.seal("cairn", for: "key"))
      return .commit
    }
  }

  /// Records the name of the key with which all values are encrypted, unless a name is recorded already or `keyID` is `nil`.
  static func name(_ keyID: String?, _ db: Database) throws {
    if try SettingsTable(db).value(.keyID) == nil, let keyID { try SettingsTable(db).set(.keyID, Data(keyID.utf8)) }
  }

  /// Gives a database a new key after its key was lost: stores the name of the new key, a new derivation key, and the encrypted constant
  /// that verifies a key. The key for hashes stays the same. The caller must replace all secrets, which can no longer be decrypted. Must be
  /// called in a transaction.
  static func begin(_ db: Database, _ secrets: SecretBox, keyID: String) throws {
    let settings = SettingsTable(db)
    try settings.set(.derivation, secrets.seal(Data(random(32)).base64EncodedString(), for: "derivation"))
    try settings.set(.key, secrets.seal("cairn", for: "key"))
    try settings.set(.keyID, Data(keyID.utf8))
  }

  /// 32 bytes that stay the same when the keys change. Only the loss of all keys replaces them (`begin`). Values that depend on a secret of the service are
  /// derived from them.
  static func derivationKey(_ db: Database, _ secrets: SecretBox, path: String) throws -> [UInt8] {
    guard let box = try SettingsTable(db).value(.derivation), let text = secrets.open(box, for: "derivation"),
      let key = Data(base64Encoded: text)
    else {
      throw SQLiteJournalError.corrupt(path: path, reason: "the value from which its secrets are derived cannot be decrypted with its key")
    }
    return Array(key)
  }

  /// Encrypts the next secrets with the newest key, and returns the last processed secret. If no secrets are left, records the newest key
  /// as the key of the database, and returns `nil`.
  static func renew(
    after last: (session: String, slot: Int), _ secrets: SecretBox, newest: [UInt8], _ db: Database
  ) throws -> (session: String, slot: Int)? {
    let check = RowCheck(try SettingsTable(db).hashKey())
    let rows = try Row.fetchAll(
      db, sql: "SELECT session, slot, box FROM secrets WHERE (session, slot) > (?, ?) ORDER BY session, slot LIMIT \(stride)",
      arguments: [last.session, last.slot])
    for row in rows {
      let (session, number, box): (String, Int, Data) = (row["session"], row["slot"], row["box"])
      let purpose = SecretSlot(number: number).purpose(of: session)
      // A secret that no key decrypts stays unchanged. `cairn verify` reports it.
      guard !secrets.isNew(box, for: purpose), let text = secrets.open(box, for: purpose) else { continue }
      try SecretRow(session: session, slot: number, box: secrets.seal(text, for: purpose)).put(check, db)
    }
    if let row = rows.last, rows.count == stride { return (row["session"], row["slot"]) }
    let settings = SettingsTable(db)
    if let box = try settings.value(.derivation), let text = secrets.open(box, for: "derivation") {
      try settings.set(.derivation, secrets.seal(text, for: "derivation"))
    }
    try settings.set(.keyID, Data(KeyFile.id(of: newest).utf8))
    try settings.set(.key, secrets.seal("cairn", for: "key"))
    return nil
  }

  private static func random(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

extension SecretSlot {
  /// The slot for a value of the column `slot`.
  init(number: Int) { self = number < 0 ? .param(-number) : number == 0 ? .token : .code(effect: number) }
}
