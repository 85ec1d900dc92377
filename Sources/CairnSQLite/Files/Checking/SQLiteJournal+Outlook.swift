import CairnCore
import Foundation
import GRDB
import Glibc

extension SQLiteJournal {
  /// The state in which the next start would find a database. The description has one line.
  package enum Outlook: Hashable, Sendable, CustomStringConvertible {
    /// No database exists, and a start would create one.
    case absent
    /// A database exists. `pending` is the number of migrations that a start would run.
    case there(pending: Int)

    package var description: String {
      switch self {
      case .absent: "does not exist and would be created"
      case .there(pending: 0): "exists"
      case .there(let pending): "exists in an older format; a start would apply \(CountText.of(pending, "migration"))"
      }
    }
  }

  /// Throws `lockedByAnother` if a service uses the database.
  package static func checkUnused(_ path: String) throws(SQLiteJournalError) {
    if DatabaseLock.isHeld(of: path) { throw .lockedByAnother(path: path) }
  }

  /// Describes the database that a start would find, or throws the reason why a start would fail. Writes nothing, takes no lock and creates
  /// no file.
  package static func outlook(_ path: String) throws(SQLiteJournalError) -> Outlook {
    let opening = OpeningCheck(path)
    try opening.checkPresence(withKey: true)
    try checkUnused(path)
    guard let size = Disk.size(of: path) else { return try lookForRoom(path) }
    if size == 0 { return .absent }
    try opening.check(migrations)
    do {
      let queue = try DatabaseQueue(path: path, configuration: reading)
      defer { try? queue.close() }
      return .there(pending: try queue.read { try MigrationRunner(path: path, migrations: migrations).pending($0) })
    } catch {
      throw fault(error, path: path)
    }
  }

  /// Checks whether a database could be created at the path. Throws the reason if not.
  static func lookForRoom(_ path: String) throws(SQLiteJournalError) -> Outlook {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" { folder.deleteLastPathComponent() }
    guard access(folder.path, W_OK | X_OK) == 0 else {
      throw .directory(path: path, reason: FileOwner.refusal(folder.path, code: errno))
    }
    return .absent
  }
}
