import CairnRuntime

/// The connections of the readers. Background threads and the writer's thread use them too. Thread-safe.
final class ConnectionPool: Sendable {
  private struct Contents {
    var free: [PostgresConnection]
    var isClosed = false
  }

  private let contents: Monitor<Contents>

  /// The usual time limit of a read. While the database is unreachable, every read fails after this time at the latest.
  static let timeout = Duration.seconds(2)

  init(_ target: PostgresTarget, count: Int) {
    contents = Monitor(Contents(free: (0..<count).map { _ in PostgresConnection(target, for: "reads") }))
  }

  /// Runs `work` with a free connection. If the connection was lost, runs `work` once more on a new connection. Throws if no connection becomes free in time.
  func read<Result>(
    for timeout: Duration = ConnectionPool.timeout,
    _ work: (PostgresConnection, _ deadline: UInt64) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    let deadline = Monotonic.deadline(after: timeout)
    let taken = contents.wait(until: deadline) { contents -> Swift.Result<PostgresConnection, PostgresError>? in
      if contents.isClosed { return .failure(PostgresError(.closed, "the journal is closed")) }
      return contents.free.popLast().map { .success($0) }
    }
    guard let taken else { throw PostgresError(text: "all connections to PostgreSQL are busy") }
    let connection = try taken.get()
    defer { contents.change { $0.isClosed ? connection.close() : $0.free.append(connection) } }
    let wasOpen = connection.isOpen
    do throws(PostgresError) {
      return try work(connection, deadline)
    } catch {
      guard wasOpen, error.isOfConnection else { throw error }
      return try work(connection, deadline)
    }
  }

  /// Closes the connections; a connection in use is closed when its read ends.
  func close() {
    contents.change { contents in
      contents.isClosed = true
      for connection in contents.free { connection.close() }
      contents.free = []
    }
  }
}
