/// The lost part of a database.
package enum Loss: Hashable, Sendable {
  /// The database itself is missing, although its key or its mark exists.
  case database
  /// The write-ahead log is missing, although no clean stop had moved it into the database.
  case log
  /// The database ends before an entry that was acknowledged.
  case entries(known: Int, found: Int)
  /// The newest acknowledged entry has a different hash here, so this database has continued from an older copy.
  case otherEntry(Int)
  /// The mark belongs to another database.
  case otherDatabase
  /// The mark cannot be read, so a loss cannot be ruled out.
  case mark
}

extension Loss: CustomStringConvertible {
  package var description: String {
    switch self {
    case .database: "the database is not there, but its key or its mark is: put it back, or cairn restore a backup"
    case .log: "its log of writes (-wal) is gone, and no clean stop took it: what was acknowledged last may be lost; put it back"
    case .entries(let known, let found):
      "it ends at entry \(found), but entry \(known) was acknowledged: it is older than it was, or its log of writes (-wal) was cut; put the newer files back"
    case .otherEntry(let number):
      "its entry \(number) is not the one that was acknowledged: it has gone on from an older copy; put the newer files back"
    case .otherDatabase: "the mark beside it is that of another database: put that one back"
    case .mark: "its mark cannot be read, so a loss cannot be excluded"
    }
  }
}
