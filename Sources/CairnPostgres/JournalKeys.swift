import CairnRuntime
import CairnCrypto
import Foundation

/// The keys that belong to the data of a journal and never change. The first node creates them.
package struct JournalKeys: Sendable {
  /// The 32 bytes of `Journal.derivationKey`. Stored encrypted.
  package let derivation: [UInt8]
  /// 16 bytes, the key for the hashes of entries.
  package let hash: [UInt8]

  package init(derivation: [UInt8], hash: [UInt8]) {
    self.derivation = derivation
    self.hash = hash
  }

  private static let purpose = "derivation"

  private static func random() -> JournalKeys {
    var random = SystemRandomNumberGenerator()
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) } }
    return JournalKeys(derivation: bytes(32), hash: bytes(16))
  }

  /// Reads the keys. If the database has no keys, a service first stores random keys, and a copy the keys of its source. If the derivation
  /// key is not needed, `secrets` is `nil`, and the result has an empty derivation key.
  static func read(
    _ connection: PostgresConnection, _ secrets: SecretBox?, for purpose: PostgresJournal.Purpose, until deadline: UInt64
  ) throws(PostgresError) -> JournalKeys {
    switch purpose {
    case .service: try random().keep(connection, secrets, isCopy: false, until: deadline)
    case .copy(let keys): try keys.keep(connection, secrets, isCopy: true, until: deadline)
    case .inspection: break
    }
    var found: [String: [UInt8]] = [:]
    for row in try connection.run("SELECT name, value FROM @settings", until: deadline).rows { found[row.text(0)] = row.bytes(1) }
    switch purpose {
    case .copy where found["copied"] == nil:
      throw PostgresError(.unsuitable, "a service already uses it; copy into a schema that no service uses (--database-schema)")
    case .service where found["copied"] != nil:
      throw PostgresError(.unsuitable, "a copy into it is incomplete; run cairn copy again")
    case .copy, .service, .inspection: break
    }
    guard let hash = found["hash"], let box = found["derivation"] else {
      throw PostgresError(.unsuitable, "the schema contains tables, but not those of Cairn")
    }
    guard let secrets else { return JournalKeys(derivation: [], hash: hash) }
    guard let text = secrets.open(Data(box), for: Self.purpose), let derivation = Data(base64Encoded: text) else {
      throw PostgresError(.wrongKey, "its secrets were encrypted with another secret key")
    }
    if case .copy(let keys) = purpose, keys.derivation != Array(derivation) {
      throw PostgresError(.unsuitable, "a copy of another database into it is incomplete; drop the schema first")
    }
    return JournalKeys(derivation: Array(derivation), hash: hash)
  }

  /// Stores the keys unless the database already has keys. With `isCopy` it also records that a copy has begun.
  private func keep(_ connection: PostgresConnection, _ secrets: SecretBox?, isCopy: Bool, until deadline: UInt64) throws(PostgresError) {
    guard let box = secrets?.seal(Data(derivation).base64EncodedString(), for: Self.purpose) else { return }
    var parameters = Parameters()
    let (derivation, hash) = (parameters.add(Array(box)), parameters.add(hash))
    let copied = isCopy ? ", ('copied', \(parameters.add(Array("0".utf8)))::bytea)" : ""
    _ = try connection.run(
      """
      INSERT INTO @settings (name, value) SELECT * FROM (VALUES ('derivation', \(derivation)::bytea), ('hash', \(hash)::bytea)
        \(copied)) AS q (name, value)
      WHERE NOT EXISTS (SELECT FROM @settings s WHERE s.name = 'derivation')
      ON CONFLICT (name) DO NOTHING
      """, parameters, until: deadline)
  }
}
