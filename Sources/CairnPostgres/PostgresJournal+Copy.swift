import CairnRuntime
package import CairnJournal

/// A journal that was opened for a copy. No node can open the database before `endCopy`.
extension PostgresJournal: CopyTarget {
  package func copied() throws(JournalError) -> Int {
    let row = try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT value FROM @settings WHERE name = 'copied'", until: deadline).first
    }
    return row.flatMap { Int(String(decoding: $0.bytes(0), as: UTF8.self)) } ?? 0
  }

  package func noteCopied(upTo place: Int) throws(JournalError) {
    var parameters = Parameters()
    let value = parameters.add(Array("\(place)".utf8))
    let values = parameters
    _ = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run("UPDATE @settings SET value = \(value)::bytea WHERE name = 'copied'", values, until: deadline)
    }
  }

  package func keepCreations(_ creations: [SpentCreation]) throws(JournalError) {
    guard !creations.isEmpty else { return }
    var parameters = Parameters()
    let keys = parameters.add(creations.map { Optional($0.key) })
    let requests = parameters.add(creations.map { Optional($0.print.bytes) })
    let ends = parameters.add(creations.map { Optional($0.until) })
    let values = parameters
    _ = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO @answers (session, key, request, until, status, head, body)
        SELECT 0, key, request, until, 0, '', '' FROM unnest(\(keys)::bytea[], \(requests)::bytea[], \(ends)::bigint[]) AS q (key, request, until)
        ON CONFLICT DO NOTHING
        """, values, until: deadline)
    }
  }

  package func endCopy() throws(JournalError) {
    _ = try database.write { (connection, deadline) throws(PostgresError) in
      try connection.run("DELETE FROM @settings WHERE name = 'copied'", until: deadline)
    }
  }
}
