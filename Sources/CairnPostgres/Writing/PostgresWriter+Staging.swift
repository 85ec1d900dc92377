import CairnCore
import CairnJournal
import CairnRuntime

extension PostgresWriter {
  func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int {
    var session: StagedSession
    if let place {
      guard let found = staged.withLock({ $0[place] }) else { throw .io("no entries are staged under number \(place)") }
      session = found
    } else {
      let number = try database.write { (connection, deadline) throws(PostgresError) in
        try connection.run("SELECT \(CommitStatement.nextNumber)", until: deadline).first?.integer(0) ?? 0
      }
      session = StagedSession(number: number)
    }
    var rows: [(stage: SessionRecord, page: [UInt8], snapshot: [UInt8])] = []
    var rest = entries.entries[...]
    for stage in entries.stages {
      let part = rest.prefix { $0.entry.revision <= stage.state.revision }
      rest = rest.dropFirst(part.count)
      let row = (stage, PageFormat.bytes(Array(part)), StateFormat.snapshot(stage.state))
      guard max(row.1.count, row.2.count) < Self.limit else { throw .tooLarge(session: stage.id) }
      session.total += part.reduce(row.2.count) { $0 + $1.cause.count + $1.difference.count }
      session.snapshot = row.2.count
      rows.append(row)
    }
    let statement = StagedSession.statement(rows, of: session.number, isFirst: place == nil, entries.definitions, database.node)
    // If the connection is lost, the statement is sent again, and writes the same rows.
    let isKept = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run(statement.text, statement.parameters, until: deadline).first?.integer(0) == 1
    }
    guard isKept else {
      staged.withLock { $0[session.number] = nil }
      throw .io("the staged entries were erased, because the next entries were not staged in time")
    }
    staged.withLock { [session] in $0[session.number] = session }
    return session.number
  }

  func unstage(_ place: Int) throws(JournalError) {
    guard staged.withLock({ $0.removeValue(forKey: place) }) != nil else { return }
    var parameters = Parameters()
    let name = parameters.add(Optional(StagedSession.task + "\(place)"))
    let values = parameters
    try database.write { (connection, deadline) throws(PostgresError) in
      _ = try connection.run("DELETE FROM @tasks WHERE name = \(name)::text", values, until: deadline)
    }
  }
}

extension StagedSession {
  /// The statement that stores rows of staged entries.
  fileprivate static func statement(
    _ rows: [(stage: SessionRecord, page: [UInt8], snapshot: [UInt8])], of session: Int, isFirst: Bool, _ definitions: [String: String],
    _ node: Int
  ) -> (text: String, parameters: Parameters) {
    var parameters = Parameters()
    let name = parameters.add(Optional(StagedSession.task + "\(session)"))
    let number = parameters.add(session)
    let until = "\(CommitStatement.now) + \(StagedSession.lease)"
    let lease =
      isFirst
      ? """
      INSERT INTO @tasks AS t (name, run, until) VALUES (\(name)::text, \(parameters.add(node))::bigint, \(until))
      ON CONFLICT (name) DO UPDATE SET until = excluded.until RETURNING 1
      """
      : "UPDATE @tasks t SET until = \(until) WHERE t.name = \(name)::text AND \(StagedSession.isKept()) RETURNING 1"
    let hashes = definitions.keys.sorted()
    let text = """
      WITH lease AS (\(lease)),
      new_definitions AS (INSERT INTO @definitions (hash, text)
        SELECT * FROM unnest(\(parameters.add(hashes.map { Optional($0) }))::text[], \(parameters.add(hashes.map { definitions[$0] }))::text[])
        ON CONFLICT DO NOTHING),
      tombstone AS (INSERT INTO @tombstones (session) SELECT \(number)::bigint FROM lease ON CONFLICT DO NOTHING),
      rows AS MATERIALIZED (SELECT q.* FROM lease, unnest(\(parameters.add(rows.map { Optional($0.stage.state.revision) }))::bigint[],
          \(parameters.add(rows.map { Optional($0.stage.definition) }))::text[], \(parameters.add(rows.map { Optional($0.page) }))::bytea[],
          \(parameters.add(rows.map { Optional($0.snapshot) }))::bytea[]) AS q (revision, definition, body, state)),
      new_pages AS (INSERT INTO @pages (session, revision, body) SELECT \(number)::bigint, revision, body FROM rows ON CONFLICT DO NOTHING),
      new_snapshots AS (INSERT INTO @snapshots (session, revision, format, state, definition)
        SELECT \(number)::bigint, revision, \(StateFormat.version), state, definition FROM rows ON CONFLICT DO NOTHING)
      SELECT count(*) FROM lease
      """
    return (text, parameters)
  }
}
