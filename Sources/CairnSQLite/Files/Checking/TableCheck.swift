import CairnCore
import CairnJournal
import GRDB

/// Checks the tables of a database against each other and against their check values, in one transaction. Reads every row of all tables
/// once, and needs a few bytes of memory per session. `SessionCheck` checks the contents of entries.
struct TableCheck {
  /// The faults, each with its session; `nil` if the fault concerns no session.
  private(set) var faults: [(session: String?, text: String)] = []
  private let db: Database
  private let check: RowCheck
  private var chains: [Int: Chain] = [:]
  private var names: [Int: String] = [:]
  private var tombstones: [Int: Int?] = [:]
  private var beginnings: [Int: Beginning] = [:]
  /// The entries at which the erasure of forgotten entries continues, by the session's number.
  private var forgotten: [Int: Set<Int>] = [:]

  /// The progress along the entries of a session, from the first entry to the newest.
  private struct Chain {
    var head: Head
    var definition: String?
    var label: String?
    var isManual: Bool
    var isBroken = false

    init(head: Head, definition: String?, label: String?, isManual: Bool, isBroken: Bool) {
      self.head = head
      self.definition = definition
      self.label = label
      self.isManual = isManual
      self.isBroken = isBroken
    }

    /// Creates the chain of a session whose entries up to `beginning` were forgotten, without the entries after it. `definition` is the definition at the
    /// beginning.
    init(_ beginning: Beginning, _ head: Head, _ definition: String?) {
      var known = head
      (known.revision, known.entry, known.hash, known.updatedAt) = (beginning.revision, 0, beginning.hash, beginning.time)
      self.init(head: known, definition: definition, label: beginning.label, isManual: beginning.isManual, isBroken: false)
    }
  }

  init(_ db: Database, _ check: RowCheck) throws {
    self.db = db
    self.check = check
    try readSessions()
    try followEntries()
    try compareHeads()
    try checkSnapshots()
    try checkResponses()
    try checkSingleValues()
    try checkCount()
  }

  /// The definition of the state with which a history begins; `nil` if the state is missing.
  private func definition(at beginning: Beginning) throws -> String? {
    let find = try Prepared(db, "SELECT definition FROM snapshots WHERE session = ? AND revision = ?").bound(beginning.session)
    find.bind(2, beginning.revision)
    return try find.row { $0.text(0) }
  }

  private mutating func note(_ text: String, of session: Int? = nil) {
    faults.append((session.flatMap { names[$0] }, session.map { names[$0] == nil ? "session number \($0): \(text)" : text } ?? text))
  }

  private mutating func readSessions() throws {
    try Prepared(db, "SELECT number, id FROM sessions").rows { names[$0.integer(0)] = $0.text(1) }
    try Prepared(db, "SELECT session, entry FROM tombstones").rows { tombstones.updateValue($0.optionalInteger(1), forKey: $0.integer(0)) }
    for number in tombstones.keys where names[number] != nil { note("the session exists, but is also marked as deleted", of: number) }
    try Prepared(db, "SELECT \(Beginning.columns) FROM beginnings b").rows { row in
      do {
        if let beginning = try Beginning(row, from: 0, check) { beginnings[beginning.session] = beginning }
      } catch JournalError.unreadable {
        note("the beginning of its history does not match its stored hash", of: row.integer(0))
      }
    }
    let left = "SELECT f.session, f.entry, e.session, e.revision FROM forgotten f LEFT JOIN entries e ON e.number = f.entry"
    try Prepared(db, left).rows { row in
      let session = row.integer(0)
      forgotten[session, default: []].insert(row.integer(1))
      guard row.integer(1) != 0 else { return }
      let isForgotten = names[session] == nil || row.integer(3) <= beginnings[session]?.revision ?? 0
      if row.optionalInteger(2) != session || !isForgotten {
        note("the erasure of forgotten entries starts at an entry that was not forgotten", of: session)
      }
    }
    for number in beginnings.keys where names[number] == nil {
      note("the first revision of its history is stored, but the session is missing", of: number)
    }
  }

  /// Checks that each entry refers to the previous entry of its session and has the next revision.
  private mutating func followEntries() throws {
    let all = """
      SELECT session, revision, number, hash, at, due, previous, definition, label, CASE WHEN revision = 1 THEN cause END, format
      FROM entries ORDER BY number
      """
    try Prepared(db, all).rows { row in
      let head = Head(row, from: 0)
      let beginning = beginnings[head.number]
      if let beginning, head.revision <= beginning.revision {
        if forgotten[head.number] == nil { note("entry \(head.revision) is forgotten, but still stored", of: head.number) }
        return
      }
      guard var chain = chains[head.number] else {
        if let beginning {
          var chain = try Chain(beginning, head, definition(at: beginning))
          chain.definition = row.optionalText(7) ?? chain.definition
          chain.label = row.optionalText(8) ?? chain.label
          chain.isBroken = head.revision != beginning.revision + 1 || !row.isNull(6)
          if chain.isBroken { note("entry \(head.revision) does not continue from the first state of its history", of: head.number) }
          chain.head = head
          chains[head.number] = chain
          return
        }
        let cause = try? CauseFormat.read(row.bytes(9), version: row.integer(10)).cause
        var isManual = false
        switch cause {
        case .creation(let creation)?: isManual = creation.manualClock
        case .replacement?: isManual = true
        case .action?, nil: break
        }
        chains[head.number] = Chain(
          head: head, definition: row.optionalText(7), label: row.optionalText(8), isManual: isManual,
          isBroken: head.revision != 1 || !row.isNull(6))
        if chains[head.number]?.isBroken == true {
          note("entry \(head.revision) is not the first of the session, but the previous entry is missing", of: head.number)
        }
        return
      }
      // The forgotten entries of a deleted session form a chain that is separate from its other entries.
      let isSplit = names[head.number] == nil && forgotten[head.number] != nil && row.isNull(6)
      if !chain.isBroken, !isSplit, head.revision != chain.head.revision + 1 || row.optionalInteger(6) != chain.head.entry {
        note("entry \(head.revision) does not follow entry \(chain.head.revision)", of: head.number)
        chain.isBroken = true
      }
      chain.head = head
      chain.definition = row.optionalText(7) ?? chain.definition
      chain.label = row.optionalText(8) ?? chain.label
      chains[head.number] = chain
    }
  }

  /// Checks that the head of each session belongs to the entry with the highest revision.
  private mutating func compareHeads() throws {
    let newer = try Heads(db, check).unwritten
    var seen: Set<Int> = []
    let all = """
      SELECT h.session, h.revision, h.entry, h.hash, h.updated_at, h.due, h.definition, h.label, h.created_at, s.created_at, s.manual
      FROM heads h LEFT JOIN sessions s ON s.number = h.session
      """
    try Prepared(db, all).rows { row in
      let number = row.integer(0)
      guard let id = names[number] else { return note("it has a head, but the session is missing", of: number) }
      seen.insert(number)
      let stored = Head(row, from: 0)
      let head = newer[id] ?? stored
      let chain = try chains[number] ?? beginnings[number].map { try Chain($0, head, definition(at: $0)) }
      guard let chain else { return note("it has no entries", of: number) }
      if !chain.isBroken, !chain.head.isSame(as: head) {
        note("its head is entry \(head.revision), but its newest entry is \(chain.head.revision)", of: number)
      }
      if stored.revision == head.revision, !stored.isSame(as: head) { note("its head does not match its newest entry", of: number) }
      if row.text(6) != chain.definition || row.optionalText(7) != chain.label {
        note("its head has another definition or label than its entries", of: number)
      }
      if row.integer(8) != row.integer(9) || (row.integer(10) != 0) != chain.isManual {
        note("its time of creation or its kind of clock differs between its row, its head and its first entry", of: number)
      }
    }
    for number in names.keys where !seen.contains(number) { note("it has no head", of: number) }
    for (number, chain) in chains where names[number] == nil {
      guard let next = tombstones[number] else {
        // The forgotten entries of a deleted session can still be waiting for their erasure after its tombstone was erased.
        if forgotten[number]?.contains(chain.head.entry) == true { continue }
        note("it has entries, but the session is missing", of: number)
        continue
      }
      if next != chain.head.entry { note("its tombstone starts at an entry that is not the session's newest entry", of: number) }
    }
  }

  private mutating func checkSnapshots() throws {
    let all = """
      SELECT \(Snapshot.columns.split(separator: ",").map { "s.\($0.drop { $0 == " " })" }.joined(separator: ", ")), e.session, e.revision
      FROM snapshots s LEFT JOIN entries e ON e.number = s.entry
      """
    try Prepared(db, all).rows { row in
      let (session, revision) = (row.integer(1), row.integer(2))
      let first = beginnings[session]?.revision ?? 0
      let isErased = row.isNull(8) && (tombstones[session] != nil || revision == first || revision < first && forgotten[session] != nil)
      if Snapshot(row, check) == nil || !isErased && (row.optionalInteger(8) != session || row.optionalInteger(9) != revision) {
        note("the snapshot at entry \(revision) does not match its stored hash or its entry", of: session)
      }
    }
  }

  private mutating func checkResponses() throws {
    try Prepared(db, "SELECT \(ResponseRow.columns) FROM responses").rows { stored in
      let row = ResponseRow(stored)
      if row.value(check) != stored.integer(9) {
        note("a stored response does not match its stored hash", of: row.session == 0 ? nil : row.session)
      }
      if row.session != 0, names[row.session] == nil, tombstones[row.session] == nil {
        note("it has a stored response, but the session is missing", of: row.session)
      }
    }
  }

  private mutating func checkSingleValues() throws {
    for name in try String.fetchAll(db, sql: "SELECT name FROM settings UNION ALL SELECT name FROM marks ORDER BY 1") {
      do {
        if let setting = SettingsTable.Name(rawValue: name) {
          _ = try SettingsTable(db).value(setting)
        } else if let mark = Mark(rawValue: name) {
          _ = try mark.entry(db)
        } else {
          note("the table settings or marks has a row with the unknown name \(name)")
        }
      } catch JournalError.unreadable(let reason) {
        note(reason)
      }
    }
    for name in [SettingsTable.Name.id, .key, .derivation, .hashKey] {
      let isThere = try Bool.fetchOne(db, sql: "SELECT count(*) FROM settings WHERE name = ?", arguments: [name.rawValue]) ?? false
      if !isThere { note("the setting \(name.rawValue) is missing") }
    }
  }

  /// Compares the number of documents with the recorded number.
  private mutating func checkCount() throws {
    // `checkSingleValues` reports a damaged mark.
    guard let known = (try? Mark.documents.entry(db)).flatMap(\.self) else { return }
    let found = try Mark.rows(db)
    if found != known { note("the table documents has \(CountText.of(found, "row")), but its recorded count is \(known)") }
  }
}

extension Head {
  /// Whether both heads describe the same entry, with the same hash and times.
  fileprivate func isSame(as other: Head) -> Bool {
    revision == other.revision && entry == other.entry && hash == other.hash && updatedAt == other.updatedAt && due == other.due
  }
}
