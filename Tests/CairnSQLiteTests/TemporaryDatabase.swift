import CairnJournal
import CairnSQLite
import Foundation
import GRDB

/// A temporary directory for a database, removed with this object.
final class TemporaryDatabase: Sendable {
  let directory: URL
  /// The journal's key, which has 32 bytes.
  let key = [UInt8](repeating: 7, count: 32)

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var path: String { directory.appending(path: "cairn.db").path }

  func open(acceptsLoss: Bool = false, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }) throws -> SQLiteJournal {
    try SQLiteJournal(path: path, keys: [key], acceptsLoss: acceptsLoss, log: log)
  }

  /// Changes the database from another connection, even while a journal has it open. Waits until the journal writes nothing.
  func change(_ sql: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
  }

  /// A copy of the current files in another directory, as a killed process leaves them.
  func crashed() throws -> TemporaryDatabase {
    let copy = try TemporaryDatabase()
    // During a read the write-ahead log is neither truncated nor restarted, and no newer frame is copied into the database. So both copies
    // are consistent with each other.
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: path, configuration: configuration)
    try reader.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { !$0.hasSuffix("-shm") }
      for file in files.sorted(by: { $0.hasSuffix("-wal") && !$1.hasSuffix("-wal") }) {
        try Data(contentsOf: directory.appending(path: file)).write(to: copy.directory.appending(path: file))
      }
    }
    return copy
  }

  /// The concatenated bytes of all files.
  func bytes() throws -> Data {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().reduce(into: Data()) { all, file in
      all.append(try Data(contentsOf: directory.appending(path: file)))
    }
  }
}
