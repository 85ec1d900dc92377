import CairnJournal
import Foundation
import GRDB
import GRDBSQLite
import Glibc

// Checks and creates files before a database is opened.
extension SQLiteJournal {
  /// Creates the directory and an empty file, or checks that an existing file is a database. Must be called before a key is created or read. Throws an error if
  /// the database is missing although its key or its mark exists, unless `acceptsLoss` is set.
  package static func prepare(_ path: String, acceptsLoss: Bool = false) throws(SQLiteJournalError) {
    if !acceptsLoss { try OpeningCheck(path).checkPresence(withKey: true) }
    try makeDirectory(of: path)
    try makeFile(path)
    Disk.syncDirectory(of: path)
  }

  static func makeDirectory(of path: String) throws(SQLiteJournalError) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      _ = try lookForRoom(path)
      throw .directory(path: path, reason: "\(directory) does not exist and cannot be created")
    }
  }

  /// Creates an empty file that only its owner can read, or checks that an existing file is a database.
  static func makeFile(_ path: String) throws(SQLiteJournalError) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw code == EISDIR ? .notADatabase(path: path) : .file(path: path, reason: FileOwner.refusal(path, code: code))
    }
    defer { Glibc.close(descriptor) }
    if Disk.size(of: path) ?? 0 == 0 { FileOwner.adopt(descriptor, in: Disk.directory(of: path)) }
    let magic = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: magic.count)
    let count = Glibc.read(descriptor, &head, head.count)
    guard count == 0 || head == magic else { throw .notADatabase(path: path) }
  }

  /// Converts an error into the reason why the database was not opened.
  static func fault(_ error: any Error, path: String) -> SQLiteJournalError {
    if let error = error as? SQLiteJournalError { return error }
    if case .unreadable(let reason)? = error as? JournalError { return .corrupt(path: path, reason: reason) }
    guard let error = error as? DatabaseError else { return .notOpened(path: path, reason: "\(error)") }
    return switch error.resultCode {
    case .SQLITE_NOTADB: .notADatabase(path: path)
    case .SQLITE_CORRUPT: .corrupt(path: path, reason: error.message ?? "no details")
    case .SQLITE_BUSY, .SQLITE_LOCKED: .lockedByAnother(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      FileOwner.forbidden(path).map { .file(path: $0, reason: FileOwner.refusal($0, code: EACCES)) }
        ?? .directory(path: path, reason: error.message ?? "not writable")
    default: .notOpened(path: path, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
    }
  }
}
