import CairnSQLite
import CairnStore
import Foundation
import GRDB

/// A directory of its own for a database, gone with the value.
final class TemporaryDatabase: Sendable {
  let directory: URL
  /// 32 bytes.
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

  /// The files as they are now, in another directory: what a process that was killed leaves behind.
  func crashed() throws -> TemporaryDatabase {
    let copy = try TemporaryDatabase()
    // During a read, the log of writes is neither emptied nor restarted, and nothing newer than the read gets from it into the database: so
    // both copies belong together, whatever happens at the same time.
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

  /// The bytes of all its files, one after the other.
  func bytes() throws -> Data {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().reduce(into: Data()) { all, file in
      all.append(try Data(contentsOf: directory.appending(path: file)))
    }
  }
}
