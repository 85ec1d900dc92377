import CairnCore
import CairnStore
import Foundation
import GRDB

/// The boxes of a database: which keys open them, and how they come under the newest.
enum Seals {
  /// Secrets that are sealed anew in one commit.
  private static let stride = 100

  /// Looks that a key opens what the database was made with; makes the box of a new one. Answers whether older seals are left.
  static func check(_ db: Database, _ secrets: SecretBox, keys: [[UInt8]], path: String) throws -> Bool {
    guard let box = try value("key", db) else {
      try set("key", try secrets.seal("cairn", for: "key"), db)
      return false
    }
    guard try opens(db, secrets) else {
      throw SQLiteJournalError.wrongKey(path: path, given: keys.map { KeyFile.id(of: $0) }, made: try keyID(db))
    }
    return !secrets.isNew(box, for: "key")
  }

  /// Whether these keys open what the database was made with.
  static func opens(_ db: Database, _ secrets: SecretBox) throws -> Bool {
    try value("key", db).map { secrets.open($0, for: "key") == "cairn" } ?? false
  }

  /// The name of the key that all seals are of; nil: nobody wrote it down.
  static func keyID(_ db: Database) throws -> String? {
    try value("keyID", db).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Makes what a database has from its first start on. `keyID`: of the key that all seals are of.
  static func complete(_ db: Database, _ secrets: SecretBox, keyID: String?) throws {
    if try value("id", db) == nil { try set("id", Data(Hexadecimal.text(of: random(16)).utf8), db) }
    if try value("derivation", db) == nil { try set("derivation", try secrets.seal(base64(32), for: "derivation"), db) }
    if try value("keyID", db) == nil, let keyID { try set("keyID", Data(keyID.utf8), db) }
  }

  /// Seals a database with a new key after its key was lost: a new box that identifies the key, and new bytes to derive from. Every older
  /// seal must have been deleted. In a transaction.
  static func begin(_ db: Database, _ secrets: SecretBox, keyID: String) throws {
    for name in ["key", "keyID", "derivation"] { try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [name]) }
    try set("key", try secrets.seal("cairn", for: "key"), db)
    try complete(db, secrets, keyID: keyID)
  }

  /// 32 bytes that stay the same whatever becomes of the keys, for what has to be derived from a secret of the service.
  static func derivationKey(_ db: Database, _ secrets: SecretBox, path: String) throws -> [UInt8] {
    guard let box = try value("derivation", db), let text = secrets.open(box, for: "derivation"), let key = Data(base64Encoded: text) else {
      throw SQLiteJournalError.corrupt(path: path, reason: "what it derives secrets from cannot be opened with its key")
    }
    return Array(key)
  }

  /// Seals the next secrets behind one with the newest key; nil: that was the last, and the database belongs to the newest key from now on.
  static func renew(
    after last: (session: String, slot: Int), _ secrets: SecretBox, newest: [UInt8], _ db: Database
  ) throws -> (session: String, slot: Int)? {
    let rows = try Row.fetchAll(
      db, sql: "SELECT session, slot, box FROM secrets WHERE (session, slot) > (?, ?) ORDER BY session, slot LIMIT \(stride)",
      arguments: [last.session, last.slot])
    for row in rows {
      let (session, number, box): (String, Int, Data) = (row["session"], row["slot"], row["box"])
      let purpose = SecretSlot(number: number).purpose(of: session)
      // One that no key opens stays as it is: `cairn verify` tells it.
      guard !secrets.isNew(box, for: purpose), let text = secrets.open(box, for: purpose) else { continue }
      try db.execute(
        sql: "UPDATE secrets SET box = ? WHERE session = ? AND slot = ?",
        arguments: [try secrets.seal(text, for: purpose), session, number])
    }
    if let row = rows.last, rows.count == stride { return (row["session"], row["slot"]) }
    if let box = try value("derivation", db), let text = secrets.open(box, for: "derivation") {
      try set("derivation", try secrets.seal(text, for: "derivation"), db)
    }
    try set("keyID", Data(KeyFile.id(of: newest).utf8), db)
    try set("key", try secrets.seal("cairn", for: "key"), db)
    return nil
  }

  private static func value(_ name: String, _ db: Database) throws -> Data? {
    try Data.fetchOne(db, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
  }

  private static func set(_ name: String, _ value: Data, _ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", arguments: [name, value])
  }

  private static func base64(_ count: Int) -> String { Data(random(count)).base64EncodedString() }

  private static func random(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

extension SecretSlot {
  /// The slot of a column's number.
  init(number: Int) { self = number == 0 ? .token : .code(effect: number) }
}
