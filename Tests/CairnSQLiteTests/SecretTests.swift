import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Secrets on disk` {
  let database: TemporaryDatabase
  private let token = "tok-3141592653589793"
  private let code = "code-2718281828459045"

  init() throws { database = try TemporaryDatabase() }

  @Test func `tokens and codes are in no file in clear, and can be read again`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try bench.create("a", creation: Creation(hasToken: true), accessToken: token)
    try bench.post(.login(code: code, state: nil, byOperator: true), to: "a")
    #expect(try journal.sessions.secret(.token, of: "a") == token)
    #expect(try journal.sessions.secret(.code(effect: 1), of: "a") == code)
    for moment in ["running", "stopped"] {
      if moment == "stopped" { bench.store.stop() }
      let bytes = try database.bytes()
      #expect(bytes.range(of: Data("hash-of-trial".utf8)) != nil, "\(moment): the files are the ones that hold the session")
      for secret in [token, code] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(moment)")
        #expect(bytes.range(of: Data(Data(secret.utf8).base64EncodedString().utf8)) == nil, "\(moment)")
      }
    }
  }

  @Test func `the secrets of links and responses are in no file in clear`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try bench.create("a")
    try bench.post(.open(url: "trial://later/\(token)?again=\(token)"), to: "a")
    try bench.post(.open(url: "trial://safe/\(token)"), to: "a")
    try bench.post(Trial.step("fetchPin"), to: "a")
    try bench.outbound.end(0, .json(["pin": .string(code)]))
    try bench.settle()
    #expect(try bench.session("a").state.secrets.count == 3)
    for moment in ["running", "stopped"] {
      if moment == "stopped" { bench.store.stop() }
      let bytes = try database.bytes()
      for secret in [token, code] { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(moment)") }
    }
  }

  @Test func `the same secret is encrypted differently each time`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id, creation: Creation(hasToken: true), accessToken: token) }
    let boxes = try journal.database.pool.read { db in try Data.fetchAll(db, sql: "SELECT box FROM secrets") }
    #expect(boxes.count == 2)
    #expect(Set(boxes).count == 2)
  }

  @Test func `an encrypted secret that was moved to another session or slot does not open`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a", creation: Creation(hasToken: true), accessToken: token)
    try bench.create("b")
    try journal.database.pool.write { db in
      try db.execute(sql: "INSERT INTO secrets SELECT 'b', 0, box, \"check\" FROM secrets")
      try db.execute(sql: "INSERT INTO secrets SELECT session, 5, box, \"check\" FROM secrets WHERE session = 'a'")
    }
    #expect(throws: JournalError.self) { try journal.sessions.secret(.token, of: "b") }
    #expect(throws: JournalError.self) { try journal.sessions.secret(.code(effect: 5), of: "a") }
    #expect(try journal.sessions.secret(.token, of: "a") == token)
  }

  @Test func `deleted rows are overwritten in the database`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try bench.create("a", label: "label-to-be-forgotten", creation: Creation(hasToken: true), accessToken: token)
    try bench.create("b")
    for page in 1...50 { try bench.post(Trial.page(page), to: "a") }
    let box = try journal.database.pool.read { db in try Data.fetchOne(db, sql: "SELECT box FROM secrets WHERE session = 'a'") }
    try bench.delete("a")
    journal.sweeper.finish(until: TestTimeout.deadline)
    let rows = try journal.database.pool.read { db in
      try ["entries", "sessions", "secrets", "snapshots", "tombstones"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
    }
    #expect(rows == [1, 1, 0, 0, 0])
    defer { bench.store.stop() }
    let bytes = try database.bytes()
    #expect(bytes.range(of: Data("label-to-be-forgotten".utf8)) == nil)
    #expect(bytes.range(of: Data("openPage".utf8)) == nil)
    let forgotten = try #require(box)
    #expect(bytes.range(of: forgotten) == nil)
  }

  @Test func `secret params are in no file in clear, also after a crash, and are deleted with the screen`() throws {
    let pin = "pin-1618033988749894"
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("openSafe", ["pin": .string(pin)]), to: "a")
    let number = try #require(try bench.session("a").state.secrets.first)
    let copy = try database.crashed()
    for files in [try database.bytes(), try copy.bytes()] {
      #expect(files.range(of: Data("openSafe".utf8)) != nil)
      #expect(files.range(of: Data(pin.utf8)) == nil && files.range(of: Data(Data(pin.utf8).base64EncodedString().utf8)) == nil)
    }
    let crashed = try copy.open()
    defer { crashed.close() }
    #expect(try crashed.sessions.secret(.param(number), of: "a") == pin)
    // A stored secret is bound to its session and its number, so a copy under another number cannot be decrypted.
    try crashed.database.pool.write { db in
      try db.execute(sql: "INSERT INTO secrets SELECT session, slot - 1, box, \"check\" FROM secrets")
    }
    #expect(throws: JournalError.self) { try crashed.sessions.secret(.param(number + 1), of: "a") }
    let box = try #require(try journal.database.pool.read { db in try Data.fetchOne(db, sql: "SELECT box FROM secrets") })
    try bench.post(Trial.step("closeSafe"), to: "a")
    #expect(try journal.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM secrets") } == 0)
    bench.store.stop()
    #expect(try database.bytes().range(of: box) == nil)
  }
}
