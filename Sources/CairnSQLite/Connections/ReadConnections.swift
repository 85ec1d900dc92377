import CairnRuntime
import CairnJournal
import GRDB

/// A pool of reading connections, each used by one thread at a time. Unlike GRDB's pool, it does not check for schema changes and does not parse
/// BEGIN and COMMIT with each read. Thread-safe.
final class ReadConnections: Sendable {
  private struct Contents {
    var free: [DatabaseQueue]
    /// The number of open connections.
    var count: Int
    var isClosing = false
  }

  private let contents: Monitor<Contents>

  /// The page cache of each connection in KiB, enough for the inner pages of the tables of a million sessions.
  private static let cache = 8_192

  /// Opens `count` connections.
  init(path: String, count: Int) throws {
    var configuration = SQLiteJournal.configuration(readers: 1)
    configuration.readonly = true
    let queues = try (0..<count).map { _ in
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA cache_size = -\(Self.cache)") }
      return queue
    }
    contents = Monitor(Contents(free: queues, count: count))
  }

  /// Runs work on a connection in one read transaction. Blocks until a connection is free. Throws `.closed` after `close`.
  func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
    let taken: DatabaseQueue?? = contents.wait { contents in
      guard !contents.isClosing else { return .some(nil) }
      return contents.free.popLast().map(Optional.some)
    }
    guard let queue = taken ?? nil else { throw JournalError.closed }
    defer { contents.change { $0.free.append(queue) } }
    return try queue.writeWithoutTransaction { db in try db.reading(work) }
  }

  /// Waits for running reads, and closes the connections.
  func close() {
    contents.change { $0.isClosing = true }
    let queues = contents.wait { contents -> [DatabaseQueue]? in
      guard contents.free.count == contents.count else { return nil }
      defer { (contents.free, contents.count) = ([], 0) }
      return contents.free
    }
    for queue in queues ?? [] { try? queue.close() }
  }
}
