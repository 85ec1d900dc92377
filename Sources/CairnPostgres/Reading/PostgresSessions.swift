import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal
import Foundation

/// The sessions of a journal on PostgreSQL.
struct PostgresSessions: SessionJournal {
  let database: PostgresDatabase
  private let states: PostgresStates

  init(_ database: PostgresDatabase) {
    self.database = database
    states = PostgresStates(database: database, lane: .reader)
  }

  func session(_ id: String) throws(JournalError) -> SessionRecord? { try states.session(id) }

  func sessions(_ ids: [String]) throws(JournalError) -> [String: SessionRecord] { try states.sessions(ids) }

  func changed(since known: [SessionRecord]) throws(JournalError) -> [Int: SessionRecord?] { try states.changed(since: known) }

  func version(of id: String) throws(JournalError) -> SessionVersion? {
    let row = try database.row(
      "SELECT h.revision, h.hash, h.beginning FROM @heads h JOIN @sessions s ON s.number = h.session WHERE s.id = $1::text", id)
    return row.map { SessionVersion($0.integer(0), hash: UInt64(column: $0.integer(1)), beginning: $0.integer(2)) }
  }

  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    var parameters = Parameters()
    let (id, number) = (parameters.add(session), parameters.add(slot.number))
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT x.box FROM @secrets x JOIN @sessions s ON s.number = x.session WHERE s.id = \(id)::text AND x.slot = \(number)::bigint
        """, parameters, until: deadline
      ).first
    }
    guard let row else { return nil }
    guard let text = database.secrets.open(Data(row.bytes(0)), for: slot.purpose(of: session)) else {
      throw .unreadable("a secret of session \(session) cannot be decrypted")
    }
    return text
  }

  func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    var parameters = Parameters()
    let (first, count) = (parameters.add(place), parameters.add(limit))
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT number, id FROM @sessions WHERE number > \(first)::bigint ORDER BY number LIMIT \(count)::bigint", parameters,
        until: deadline)
    }.rows.map { ($0.integer(0), $0.text(1)) }
  }

  func uses(of app: String) throws(JournalError) -> [DefinitionUse] {
    var parameters = Parameters()
    let name = parameters.add(app)
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT h.definition, count(*), min(h.created_at) FROM @heads h JOIN @sessions s ON s.number = h.session
        WHERE s.app = \(name)::text GROUP BY h.definition ORDER BY h.definition
        """, parameters, until: deadline)
    }.rows.map { DefinitionUse(definition: $0.text(0), sessions: $0.integer(1), oldest: $0.integer(2)) }
  }

  /// The number of sessions. For a large table, the result is an estimate of the server, because counting would read the whole table.
  func count() throws(JournalError) -> Int {
    try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT CASE WHEN reltuples > 100000 THEN reltuples::bigint ELSE (SELECT count(*) FROM @heads) END
        FROM pg_class WHERE oid = '@heads'::regclass
        """, until: deadline
      ).first?.integer(0) ?? 0
    }
  }

  func bytes(of session: String) -> Int? { database.known.withLock { $0[session]?.total } }
}
