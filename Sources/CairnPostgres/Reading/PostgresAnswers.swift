import CairnRuntime
import CairnJournal

/// The responses of a journal on PostgreSQL, read on a connection of the readers or of the writer.
struct PostgresAnswers: AnswerJournal {
  let database: PostgresDatabase
  let lane: PostgresDatabase.Lane

  /// The number of expired responses that one call deletes.
  private static let stride = 500

  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    var parameters = Parameters()
    let column = parameters.add(key.column(of: session))
    let text: String
    if key == .creation {
      text = "SELECT request, until, status, head, body, secret_at, revision FROM @answers WHERE session = 0 AND key = \(column)::bytea"
    } else {
      // If `KeptAnswer.limit` newer responses exist, this response counts as deleted, although its row may still exist.
      text = """
        SELECT a.request, a.until, a.status, a.head, a.body, a.secret_at, a.revision FROM @sessions s JOIN @answers a ON a.session = s.number
        WHERE s.id = \(parameters.add(session))::text AND a.key = \(column)::bytea
          AND (SELECT count(*) FROM @answers n WHERE n.session = a.session AND n.number > a.number) < \(KeptAnswer.limit)
        """
    }
    let values = parameters
    let row = try database.run(on: lane) { (connection, deadline) throws(PostgresError) in
      try connection.run(text, values, until: deadline).first
    }
    return row.map { row in
      KeptAnswer(
        print: Fingerprint(row.bytes(0)), until: row.integer(1),
        content: RenderedAnswer(status: row.integer(2), head: row.text(3), body: row.bytes(4), hole: row.optionalInteger(5)),
        revision: row.integer(6))
    }
  }

  func keys(of session: String) throws(JournalError) -> [Fingerprint] {
    var parameters = Parameters()
    let id = parameters.add(session)
    return try database.run(on: lane) { (connection, deadline) throws(PostgresError) in
      try connection.run(
        "SELECT a.key FROM @sessions s JOIN @answers a ON a.session = s.number WHERE s.id = \(id)::text", parameters, until: deadline
      ).rows.map { Fingerprint($0.bytes(0)) }
    }
  }

  func forget(expiredAt time: Int) throws(JournalError) -> Int? {
    var parameters = Parameters()
    let now = parameters.add(time)
    return try database.write { (connection, deadline) throws(PostgresError) in
      _ = try connection.run(
        """
        DELETE FROM @answers WHERE (session, key) IN (SELECT session, key FROM @answers WHERE until <= \(now)::bigint ORDER BY until
          LIMIT \(Self.stride) FOR UPDATE SKIP LOCKED)
        """, parameters, until: deadline)
      return try connection.run("SELECT min(until) FROM @answers", until: deadline).first?.optionalInteger(0)
    }
  }
}
