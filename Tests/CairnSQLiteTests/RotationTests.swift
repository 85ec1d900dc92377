import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Key rotation` {
  let database: TemporaryDatabase
  private let newer = [UInt8](repeating: 9, count: 32)

  init() throws { database = try TemporaryDatabase() }

  private func open(_ keys: [UInt8]...) throws -> SQLiteJournal { try SQLiteJournal(path: database.path, keys: keys) }

  @Test func `secrets of an older key open and are resealed in the background, after which that key is not needed`() throws {
    var journal = try database.open()
    let seed = journal.derivationKey
    var bench = try StoreBench(journal)
    for number in 1...250 { try bench.create("s\(number)", accessToken: "token \(number)") }
    try bench.post(Trial.step("openSafe", ["pin": "a pin"]), to: "s7")
    bench.store.stop()

    journal = try open(newer, database.key)
    bench = try StoreBench(journal)
    #expect(try journal.sessions.secret(.token, of: "s1") == "token 1")
    try bench.create("new", accessToken: "new token")
    #expect(journal.sealed(until: TestTimeout.deadline))
    bench.store.stop()

    journal = try open(newer)
    defer { journal.close() }
    #expect(try journal.sessions.secret(.token, of: "s1") == "token 1")
    #expect(try journal.sessions.secret(.token, of: "s250") == "token 250")
    #expect(try journal.sessions.secret(.token, of: "new") == "new token")
    #expect(try journal.sessions.secret(.param(512), of: "s7") == "a pin")
    #expect(journal.derivationKey == seed)
    #expect(seed.count == 32)
  }

  @Test func `resealing continues after a crash`() throws {
    var journal = try database.open()
    var bench = try StoreBench(journal)
    for number in 1...120 { try bench.create("s\(number)", accessToken: "token \(number)") }
    bench.store.stop()
    // Only the first slice is resealed.
    journal = try database.open()
    let secrets = SecretBox(keys: [newer, database.key])
    let next = try journal.database.pool.write { [newer] db in try Seals.renew(after: ("", 0), secrets, newest: newer, db) }
    #expect(next != nil)
    journal.close()
    #expect(throws: SQLiteJournalError.wrongKey(path: database.path, given: [KeyFile.id(of: newer)], made: KeyFile.id(of: database.key))) {
      try open(newer)
    }
    journal = try open(newer, database.key)
    bench = try StoreBench(journal)
    #expect(journal.sealed(until: TestTimeout.deadline))
    bench.store.stop()
    journal = try open(newer)
    defer { journal.close() }
    for number in [1, 60, 120] { #expect(try journal.sessions.secret(.token, of: "s\(number)") == "token \(number)") }
  }

  @Test func `the key file accepts a new key in front, and the old keys can be removed`() throws {
    let first = try KeyFile.keys(setting: nil, database: database.path)
    let rotated = try KeyFile.rotate(database.path)
    #expect(rotated.count == 2 && rotated.dropFirst() == first[...])
    #expect(try KeyFile.keys(setting: nil, database: database.path) == rotated)
    let mode = try FileManager.default.attributesOfItem(atPath: KeyFile.path(database.path))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try KeyFile.prune(database.path)
    #expect(try KeyFile.keys(setting: nil, database: database.path) == [rotated[0]])
    #expect(Set(rotated.map { KeyFile.id(of: $0) }).count == 2)
  }

  @Test func `the setting may contain several keys, and each must be valid`() throws {
    let both = [newer, database.key].map { Data($0).base64EncodedString() }
    #expect(try KeyFile.keys(setting: both.joined(separator: ", "), database: database.path) == [newer, database.key])
    for text in ["\(both[0]),", ",\(both[0])", "\(both[0]),x"] {
      #expect(throws: KeyFile.Fault.notBase64OfKey) { try KeyFile.keys(setting: text, database: database.path) }
    }
  }
}
