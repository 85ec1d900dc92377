import CairnRuntime
import Foundation
import Glibc

/// The file `<database>.mark`. It has two slots that are written alternately, so that one of them is intact after a power failure. Thread-safe.
final class MarkFile: Sendable {
  private struct Contents {
    var serial: Int
    var written: DatabaseMark
  }

  private let descriptor: Int32
  private let contents: Lock<Contents>

  /// The size of a slot in bytes, which disks write atomically.
  private static let place = 512

  static func path(_ database: String) -> String { database + ".mark" }

  /// The mark of a database; `nil` if the database has no mark. Throws `.file` if this process may not read the file, and `.lost` if no
  /// slot contains an intact mark.
  static func read(_ database: String) throws(SQLiteJournalError) -> DatabaseMark? {
    let path = path(database)
    guard Disk.size(of: path) != nil else { return nil }
    guard access(path, R_OK) == 0 else { throw .file(path: path, reason: FileOwner.refusal(path, code: errno)) }
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    var newest: (serial: Int, mark: DatabaseMark)?
    for start in stride(from: 0, to: bytes.count, by: place) {
      let line = String(decoding: bytes[start..<min(start + place, bytes.count)].prefix { $0 != 0 }, as: UTF8.self)
      var serial = 0
      if let mark = DatabaseMark(line: line, serial: &serial), serial > newest?.serial ?? -1 { newest = (serial, mark) }
    }
    guard let newest else { throw .lost(path: database, .mark) }
    return newest.mark
  }

  /// Removes the mark if it exists.
  static func remove(_ database: String) {
    unlink(path(database))
    Disk.syncDirectory(of: database)
  }

  /// Creates or replaces the file. The file is on disk when this returns.
  init(_ database: String, _ mark: DatabaseMark) throws(SQLiteJournalError) {
    let path = Self.path(database)
    let draft = path + ".draft"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(path: draft, reason: FileOwner.refusal(draft, code: errno)) }
    FileOwner.adopt(descriptor, in: Disk.directory(of: database))
    guard Self.write(mark, serial: 0, to: descriptor), Self.write(mark, serial: 1, to: descriptor), fsync(descriptor) == 0,
      rename(draft, path) == 0, Disk.syncDirectory(of: path)
    else {
      let reason = Disk.reason
      close(descriptor)
      unlink(draft)
      throw .file(path: path, reason: reason)
    }
    self.descriptor = descriptor
    contents = Lock(Contents(serial: 1, written: mark))
  }

  deinit { close(descriptor) }

  /// Writes the mark if it has changed. The mark is on disk when this returns. Failures are ignored, because a later call repeats the
  /// write, and an older mark is still valid.
  func write(_ change: (inout DatabaseMark) -> Void) {
    contents.withLock { contents in
      var mark = contents.written
      change(&mark)
      guard mark != contents.written else { return }
      guard Self.write(mark, serial: contents.serial + 1, to: descriptor), fdatasync(descriptor) == 0 else { return }
      contents.serial += 1
      contents.written = mark
    }
  }

  private static func write(_ mark: DatabaseMark, serial: Int, to descriptor: Int32) -> Bool {
    var bytes = Array(mark.line(serial: serial).utf8)
    bytes += Array(repeating: 0, count: max(0, place - bytes.count))
    return pwrite(descriptor, bytes, place, (serial % 2) * place) == place
  }
}
