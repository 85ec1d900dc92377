import Foundation
import Glibc
import Testing

@testable import CairnSQLite

/// Files that root creates for the service of another user. The tests require root.
@Suite(.enabled(if: geteuid() == 0)) struct `Owner of created files` {
  let database: TemporaryDatabase
  private let user: uid_t = 64_001

  init() throws {
    database = try TemporaryDatabase()
    guard chown(database.directory.path, user, user) == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  private func owners() throws -> [String: uid_t] {
    try FileManager.default.contentsOfDirectory(atPath: database.directory.path).reduce(into: [:]) { owners, name in
      var status = stat()
      if stat(database.directory.appending(path: name).path, &status) == 0 { owners[name] = status.st_uid }
    }
  }

  @Test func `files that root creates by a start, a rotation, a restore or a vacuum belong to the owner of the folder`() throws {
    let keys = try KeyFile.keys(setting: nil, database: database.path)
    try SQLiteJournal(path: database.path, keys: keys).close()
    let copy = try TemporaryDatabase()
    _ = try Backup.make(of: database.path, to: copy.path, replacing: false) { false }
    let rotated = try KeyFile.rotate(database.path)
    _ = try Backup.restore(copy.path, to: database.path, replacing: true, keys: rotated, check: { _, _ in [] }) { false }
    try KeyFile.prune(database.path)
    _ = try Compaction.run(database.path)
    let owners = try owners()
    for file in ["cairn.db", "cairn.db.key", "cairn.db.mark", "cairn.db.lock", "cairn.db.reserve"] {
      #expect(owners[file] == user, "\(file): \(owners)")
    }
  }

  @Test func `a missing permission is reported with the file, its owner and the remedy`() throws {
    let file = database.path + ".key"
    try Data("x".utf8).write(to: URL(filePath: file))
    #expect(
      FileOwner.refusal(file, code: EACCES)
        == "Permission denied: \(file) belongs to user 0, and this process runs as user 0; as root: chown \(geteuid()):\(getegid()) \(file)"
    )
    let absent = database.path + ".none"
    let refusal = FileOwner.refusal(absent, code: EACCES)
    #expect(refusal.contains("\(database.directory.path) belongs to user \(user), and"))
    #expect(
      refusal.hasSuffix("; as root: chown \(geteuid()):\(getegid()) \(database.directory.path); in Kubernetes: fsGroup: \(getegid())"))
    #expect(FileOwner.refusal(file, code: EIO) == "Input/output error")
  }
}
