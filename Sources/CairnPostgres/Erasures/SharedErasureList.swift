import CairnMigrations
import CairnRuntime

/// The list of deleted sessions and of forgotten histories. It is in a separate schema or in another database, so a restore of the journal
/// does not change it. All nodes share the list: each node writes to it before its commit. Thread-safe.
final class SharedErasureList: Sendable {
  /// A row of the list.
  struct Row: Sendable {
    var number: Int
    var erasure: Erasure
    /// Whether the commit is known to have succeeded.
    var isCommitted: Bool
    /// Whether the row is so old that its commit has certainly ended, successfully or not.
    var isOld: Bool
  }

  let target: PostgresTarget
  private let journal: [UInt8]
  private let contents: Lock<Contents>

  private struct Contents {
    let connection: PostgresConnection
    /// The `Monotonic` time of the next attempt after a failure. Until then, `add` throws immediately, so that the writer does not wait for
    /// the timeout at each deletion.
    var nextAttempt: UInt64 = 0
  }

  /// The number of rows that one query reads.
  static let page = 10_000
  /// The time in seconds after which a commit has certainly ended, successfully or not.
  private static let age = 60
  /// The number of attempts to get numbers that no other node takes at the same time.
  private static let attempts = 20
  /// Maximum time for which a commit waits for the list, and the pause after a failure.
  private static let timeout = Duration.seconds(2)
  private static let pause = Duration.seconds(1)

  /// Creates the object, which connects at the first call; `create` creates the list itself. `journal` identifies this journal among those that share the list.
  init(_ target: PostgresTarget, journal: [UInt8]) {
    self.target = target
    self.journal = journal
    contents = Lock(Contents(connection: PostgresConnection(target, for: "erasures")))
  }

  func close() { contents.withLock { $0.connection.close() } }

  /// Creates the schema and the tables of the list, unless they exist already.
  static func create(_ target: PostgresTarget, until deadline: UInt64) throws(PostgresError) {
    let connection = PostgresConnection(target, for: "erasures")
    defer { connection.close() }
    for attempt in 1... {
      if try exists(connection, target, until: deadline) { return }
      do throws(PostgresError) {
        return try connection.script(statements(target), until: deadline)
      } catch {
        // Another node may be creating the list at the same time.
        guard error.isTemporary || ["23505", "42P06", "42P07", "42710"].contains(error.state), attempt < 10 else { throw error }
      }
    }
  }

  /// The statements that create the list, for one transaction.
  static func statements(_ target: PostgresTarget) -> String {
    "CREATE SCHEMA IF NOT EXISTS \"\(target.schema)\";\n\(PostgresMigrations.erasures)"
  }

  static func exists(_ connection: PostgresConnection, _ target: PostgresTarget, until deadline: UInt64) throws(PostgresError) -> Bool {
    var parameters = Parameters()
    let name = parameters.add("\"\(target.schema)\".marks")
    return try connection.run("SELECT to_regclass(\(name)::text) IS NOT NULL", parameters, until: deadline).first?.bool(0) == true
  }

  /// Whether the tables of the list exist.
  func exists() throws(PostgresError) -> Bool {
    try run { (connection, deadline) throws(PostgresError) in try Self.exists(connection, target, until: deadline) }
  }

  /// Adds erasures before their commit, and returns their numbers when they are on disk. For a second after a failure, it throws
  /// immediately.
  func add(_ erasures: [Erasure]) throws(PostgresError) -> [Int] {
    for _ in 1..<Self.attempts {
      do throws(PostgresError) {
        return try insert(erasures)
      } catch {
        // Another node has used the numbers.
        guard error.isConstraint else { throw error }
      }
    }
    return try insert(erasures)
  }

  private func insert(_ erasures: [Erasure]) throws(PostgresError) -> [Int] {
    var parameters = Parameters()
    let name = parameters.add(journal)
    let sessions = parameters.add(erasures.map { Optional($0.session) })
    let ids = parameters.add(erasures.map { Optional($0.id) })
    let revisions = parameters.add(erasures.map(\.revision))
    let values = parameters
    return try run(isBraked: true) { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO @erasures (journal, number, session, id, revision) SELECT \(name)::bytea, n.last + q.place, session, id, revision
        FROM unnest(\(sessions)::bigint[], \(ids)::bytea[], \(revisions)::bigint[]) WITH ORDINALITY AS q (session, id, revision, place),
          (SELECT greatest((SELECT max(number) FROM @erasures WHERE journal = \(name)::bytea),
            (SELECT listed FROM @marks WHERE journal = \(name)::bytea), 0) AS last) n
        ORDER BY q.place RETURNING number
        """, values, until: deadline)
    }.rows.map { $0.integer(0) }
  }

  /// Records the results of commits: marks the erasures `done` as committed, and removes the erasures `dropped` from the list. If this
  /// fails, the rows are processed again later.
  func settle(done: [Int], dropped: [Int]) throws(PostgresError) {
    guard !done.isEmpty || !dropped.isEmpty else { return }
    var parameters = Parameters()
    let (name, first) = (parameters.add(journal), parameters.add(done.map { Optional($0) }))
    let second = parameters.add(dropped.map { Optional($0) })
    let values = parameters
    _ = try run { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        WITH gone AS (DELETE FROM @erasures WHERE journal = \(name)::bytea AND number = ANY(\(second)::bigint[]))
        UPDATE @erasures SET is_committed = true WHERE journal = \(name)::bytea AND number = ANY(\(first)::bigint[]) AND NOT is_committed
        """, values, until: deadline)
    }
  }

  /// The next page of rows after a number, in order.
  func rows(after number: Int) throws(PostgresError) -> [Row] {
    var parameters = Parameters()
    let (name, first) = (parameters.add(journal), parameters.add(number))
    let values = parameters
    return try run { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        SELECT number, session, id, revision, is_committed, at < clock_timestamp() - interval '\(Self.age) s' FROM @erasures
        WHERE journal = \(name)::bytea AND number > \(first)::bigint ORDER BY number LIMIT \(Self.page)
        """, values, until: deadline)
    }.rows.map {
      Row(
        number: $0.integer(0), erasure: Erasure(session: $0.integer(1), id: $0.bytes(2), revision: $0.optionalInteger(3)),
        isCommitted: $0.bool(4), isOld: $0.bool(5))
    }
  }

  /// The newest mark of the journal, and the number up to which all erasures were found complete; `nil` if no mark is stored.
  func mark() throws(PostgresError) -> (mark: ErasureMark, listed: Int)? {
    var parameters = Parameters()
    let name = parameters.add(journal)
    let values = parameters
    return try run { (connection, deadline) throws(PostgresError) in
      try connection.run("SELECT number, token, listed FROM @marks WHERE journal = \(name)::bytea", values, until: deadline)
    }.first.map { (ErasureMark(number: $0.integer(0), token: $0.bytes(1)), $0.integer(2)) }
  }

  /// Stores a mark that the journal has, unless the list has a mark with the same or a higher number. `listed` never decreases: numbers up to it are not
  /// assigned again, even if the rows have been deleted since the caller read them.
  func keep(_ mark: ErasureMark, listed: Int) throws(PostgresError) {
    var parameters = Parameters()
    let (name, number, token, last) = (
      parameters.add(journal), parameters.add(mark.number), parameters.add(mark.token), parameters.add(listed)
    )
    let values = parameters
    _ = try run { (connection, deadline) throws(PostgresError) in
      try connection.run(
        """
        INSERT INTO @marks AS m (journal, number, token, listed) VALUES (\(name)::bytea, \(number)::bigint, \(token)::bytea, \(last)::bigint)
        ON CONFLICT (journal) DO UPDATE SET number = excluded.number, token = excluded.token, listed = greatest(m.listed, excluded.listed)
          WHERE m.number < excluded.number
        """, values, until: deadline)
    }
  }

  /// Runs a statement, and repeats it once after a temporary error or a lost connection. A repetition must be harmless; adding the same
  /// rows to the list twice is harmless. With `isBraked`, the statement fails immediately during the pause after a failure.
  private func run<Result>(
    isBraked: Bool = false, _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    try contents.withLock { contents throws(PostgresError) in
      guard !isBraked || Monotonic.now() >= contents.nextAttempt else {
        throw PostgresError(text: "the last attempt to reach its database failed")
      }
      // A start may wait longer than a commit.
      let deadline = Monotonic.deadline(after: isBraked ? Self.timeout : PostgresDatabase.timeout)
      let wasOpen = contents.connection.isOpen
      do throws(PostgresError) {
        do throws(PostgresError) {
          return try work(contents.connection, deadline)
        } catch {
          guard error.isTemporary || wasOpen && error.isOfConnection else { throw error }
          return try work(contents.connection, deadline)
        }
      } catch {
        if !error.isConstraint { contents.nextAttempt = Monotonic.deadline(after: Self.pause) }
        throw error
      }
    }
  }
}
