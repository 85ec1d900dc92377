import CairnCore
import CairnRuntime
import CairnJournal
import GRDB

extension Heads {
  /// Reads the heads of sessions with entries after the mark, in one scan of these entries. No states are read.
  init(_ db: Database, _ check: RowCheck) throws {
    let flushed: Int
    do {
      flushed = try Mark.flushed.entry(db) ?? 0
    } catch JournalError.unreadable {
      // If the mark is damaged, all entries are scanned.
      flushed = 0
    }
    // A number above the bound is damaged. The next numbers follow the highest intact number, so that only the damaged session is lost.
    func largest(_ column: String, of table: String) throws -> Int {
      try Prepared(db, "SELECT max(\(column)) FROM \(table) WHERE \(column) <= ?").bound(State.highestNumber).row { $0.integer(0) } ?? 0
    }
    let session = max(try largest("number", of: "sessions"), try largest("session", of: "tombstones"))
    let entry = try OpeningCheck.newest(db)
    var newest: [Int: Head] = [:]
    try Prepared(db, "SELECT session, revision, number, hash, at, due FROM entries WHERE number > ? ORDER BY number").bound(flushed).rows {
      row in
      newest[row.integer(0)] = Head(row, from: 0)
    }
    var changed: [String: Head] = [:]
    let find = try Prepared(
      db,
      """
      SELECT s.id, h.revision, \(Beginning.columns) FROM sessions s LEFT JOIN heads h ON h.session = s.number
      LEFT JOIN beginnings b ON b.session = s.number WHERE s.number = ?
      """)
    for (number, head) in newest {
      // The query returns no row if the session was deleted and its entries are still being erased. The head in the table is newer if the
      // entries were forgotten.
      try find.bound(number).rows { row in
        guard head.revision > row.integer(1) else { return }
        var head = head
        head.beginning = try Beginning(row, from: 2, check)
        changed[row.text(0)] = head
      }
    }
    self.init(
      nextSession: session + 1, nextResponse: try largest("number", of: "responses") + 1, newest: entry, flushed: flushed,
      changed: changed)
  }
}

extension SQLiteDatabase {
  /// The head of a session; `nil` if the session does not exist. The transaction must have begun after the last commit that the caller depends on.
  func head(of id: String, _ db: Database) throws -> Head? {
    try heads.withLock { $0[id] } ?? storedHead(of: id, db)
  }

  /// The head of a session for a read of its entries. The cached head may be older than the rows, because a commit that forgets entries
  /// changes the rows before the cached head is updated. Such a commit also writes the head to the table, so that head is used instead.
  func headOfEntries(of id: String, _ db: Database) throws -> Head? {
    guard let head = heads.withLock({ $0[id] }) else { return try storedHead(of: id, db) }
    let find = try Prepared(db, "SELECT \(Beginning.columns) FROM beginnings b WHERE b.session = ?").bound(head.number)
    let beginning = try find.row { try Beginning($0, from: 0, check) } ?? nil
    return beginning?.revision == head.beginning?.revision ? head : try storedHead(of: id, db)
  }

  private func storedHead(of id: String, _ db: Database) throws -> Head? {
    try Prepared(
      db,
      """
      SELECT s.number, h.revision, h.entry, h.hash, h.updated_at, h.due, \(Beginning.columns) FROM sessions s
      LEFT JOIN heads h ON h.session = s.number LEFT JOIN beginnings b ON b.session = s.number WHERE s.id = ?
      """
    ).bound(id).row { row in
      guard !row.isNull(1) else { throw JournalError.unreadable("session \(id) has no head") }
      return try Head(row, from: 0).beginning(with: Beginning(row, from: 6, check), of: id)
    }
  }

  /// Writes a slice of the heads and, with the last slice, the mark. Called in the transaction of a commit.
  func write(_ slice: Heads.Slice, _ db: Database) throws {
    let put = try Prepared(db, Self.putHead)
    for (id, head) in slice.heads where heads.withLock({ $0.isWanted(id) }) { try put.bound(head).run() }
    if let mark = slice.mark { try setMark(mark, db) }
  }

  /// Writes the remaining heads and the mark when the service stops.
  func flush() throws {
    let (rest, mark) = heads.withLock { $0.rest() }
    try pool.write { db in
      let put = try Prepared(db, Self.putHead)
      for head in rest.sorted(by: { $0.number < $1.number }) { try put.bound(head).run() }
      try setMark(mark, db)
    }
    heads.withLock { $0.wroteAll(mark) }
  }

  /// Assigns an entry number to a deletion. So the loss of a deletion is detected, and the erasure of entries does not lower the newest number.
  func markDeletion(_ db: Database) throws {
    let number = heads.withLock { $0.newEntry() }
    try Mark.deleted.set(number, check, db)
  }

  private func setMark(_ entry: Int, _ db: Database) throws {
    try Mark.flushed.set(entry, check, db)
  }

  static let putHead = "UPDATE heads SET revision = ?2, entry = ?3, hash = ?4, updated_at = ?5, due = ?6 WHERE session = ?1"
}

extension Head {
  /// Reads the columns session, revision, entry, hash, updated_at and due, beginning with column `first`.
  init(_ row: Prepared, from first: Int32) {
    self.init(
      number: row.integer(first), revision: row.integer(first + 1), entry: row.integer(first + 2),
      hash: UInt64(column: row.integer(first + 3)), updatedAt: row.integer(first + 4), due: row.optionalInteger(first + 5))
  }

  /// Returns the head of a session whose journal has this beginning. Throws `.unreadable` if the head's revision is below the beginning or
  /// out of bounds. Otherwise, a session with a damaged row would look like a session whose history was forgotten.
  func beginning(with beginning: Beginning?, of id: String) throws -> Head {
    guard State.isRevision(revision), revision >= beginning?.revision ?? 0 else {
      throw JournalError.unreadable("session \(id): the revision \(revision) of its head is out of bounds")
    }
    var head = self
    head.beginning = beginning
    return head
  }
}

extension Prepared {
  /// Reads a revision or a size for estimates, which only determine when a snapshot is stored. A damaged value becomes the nearest bound, so that sums do not
  /// overflow.
  func count(_ column: Int32) -> Int { max(0, min(integer(column), State.highestCount)) }

  /// Binds the first parameter, and returns the statement.
  func bound(_ value: Int) -> Prepared {
    bind(1, value)
    return self
  }

  /// Binds the first parameter, and returns the statement.
  func bound(_ value: String) -> Prepared {
    bind(1, value)
    return self
  }

  /// Binds session, revision, entry, hash, updated_at and due to the first six parameters.
  func bound(_ head: Head) -> Prepared {
    bind(1, head.number)
    bind(2, head.revision)
    bind(3, head.entry)
    bind(4, head.hash.column)
    bind(5, head.updatedAt)
    bind(6, head.due)
    return self
  }
}
