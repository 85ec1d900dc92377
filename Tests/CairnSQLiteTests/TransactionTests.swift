import CairnStore
import GRDB
import Testing

@testable import CairnSQLite

@Suite struct `Transactions of the writer` {
  private struct Fault: Error {}

  private let database: TemporaryDatabase
  private let pool: DatabasePool

  init() throws {
    database = try TemporaryDatabase()
    pool = try DatabasePool(path: database.path, configuration: SQLiteJournal.configuration(readers: 1))
    try pool.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE parts (number INTEGER PRIMARY KEY, whole INTEGER REFERENCES parts (number) DEFERRABLE INITIALLY DEFERRED)
          """)
    }
  }

  private var count: Int {
    get throws { try pool.reading { db in try Prepared(db, "SELECT count(*) FROM parts").row { $0.integer(0) } ?? 0 } }
  }

  private func insert(_ number: Int, of whole: Int, _ db: Database) throws {
    let insert = try Prepared(db, "INSERT INTO parts (number, whole) VALUES (?, ?)")
    insert.bind(1, number)
    insert.bind(2, whole)
    try insert.run()
  }

  @Test func `a transaction commits what its work wrote, and returns its value`() throws {
    let result = try pool.committing { db in
      try insert(1, of: 1, db)
      return "done"
    }
    #expect(try result == "done" && count == 1)
  }

  @Test func `a transaction whose work throws leaves nothing, and the next one commits`() throws {
    #expect(throws: Fault.self) {
      try pool.committing { db in
        try insert(1, of: 1, db)
        throw Fault()
      }
    }
    #expect(try count == 0)
    try pool.committing { db in try insert(2, of: 2, db) }
    #expect(try count == 1)
  }

  @Test func `a transaction whose commit fails leaves nothing, and the next one commits`() throws {
    // COMMIT checks the deferred constraint, fails, and leaves the transaction open.
    let error = #expect(throws: DatabaseError.self) { try pool.committing { db in try insert(1, of: 9, db) } }
    #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    #expect(try count == 0)
    try pool.committing { db in try insert(2, of: 2, db) }
    #expect(try count == 1)
  }

  @Test func `a transaction that SQLite has already rolled back fails`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try pool.committing { db in
        try insert(1, of: 1, db)
        try Prepared(db, "ROLLBACK").run()
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
    #expect(try count == 0)
  }

  @Test func `a transaction is rejected at its start while another connection writes`() throws {
    try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA busy_timeout = 0") }
    let other = try DatabaseQueue(path: database.path)
    try other.inDatabase { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      var hasBegun = false
      let error = #expect(throws: DatabaseError.self) { try pool.committing { _ in hasBegun = true } }
      #expect(error?.resultCode == .SQLITE_BUSY && !hasBegun)
      try db.execute(sql: "COMMIT")
    }
    try pool.committing { db in try insert(1, of: 1, db) }
    #expect(try count == 1)
  }

  @Test func `a transaction reads one state of the database from its first row on`() throws {
    try pool.committing { db in try insert(1, of: 1, db) }
    try pool.reading { db in
      let count = try Prepared(db, "SELECT count(*) FROM parts")
      #expect(try count.row { $0.integer(0) } == 1)
      try DatabaseQueue(path: database.path).write { db in try db.execute(sql: "INSERT INTO parts VALUES (2, 2)") }
      #expect(try count.row { $0.integer(0) } == 1)
    }
    #expect(try count == 2)
  }
}
