import CairnJournal

extension PostgresCluster {
  func keepTicket(
    _ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int
  ) throws(JournalError) -> Bool {
    var parameters = Parameters()
    let (key, text, value) = (parameters.add(hash), parameters.add(place), parameters.add(content))
    let (end, time, most) = (parameters.add(until), parameters.add(now), parameters.add(limit))
    let values = parameters
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO @tickets (hash, place, content, until) SELECT \(key)::bytea, \(text)::text, \(value)::bytea, \(end)::bigint
        WHERE (SELECT count(*) FROM @tickets WHERE place = \(text)::text AND until > \(time)::bigint) < \(most)::bigint RETURNING 1
        """, values, until: deadline
      ).count == 1
    }
  }

  func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]? {
    var parameters = Parameters()
    let (key, text, time) = (parameters.add(hash), parameters.add(place), parameters.add(now))
    let condition = "hash = \(key)::bytea AND place = \(text)::text AND until > \(time)::bigint"
    let values = parameters
    return try database.read { (connection, deadline) throws(PostgresError) in
      try connection.run(
        isLook ? "SELECT content FROM @tickets WHERE \(condition)" : "DELETE FROM @tickets WHERE \(condition) RETURNING content", values,
        until: deadline
      ).first?.bytes(0)
    }
  }
}
