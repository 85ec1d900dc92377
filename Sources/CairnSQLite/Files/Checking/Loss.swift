/// The kind of a certain or possible loss of acknowledged data.
package enum Loss: Hashable, Sendable {
  /// The database itself is missing, although its key or its mark exists.
  case database
  /// The write-ahead log is missing, although no clean stop had moved it into the database.
  case log
  /// The database ends before an entry that was acknowledged.
  case entries(known: Int, found: Int)
  /// The entry with the number of the newest acknowledged one has another hash, so the database was continued from an older copy.
  case otherEntry(Int)
  /// The mark belongs to another database.
  case otherDatabase
  /// The mark cannot be read, so a loss cannot be ruled out.
  case mark
}

extension Loss: CustomStringConvertible {
  package var description: String {
    switch self {
    case .database: "the database is missing, but its key or its mark exists: put the database back, or restore a backup with cairn restore"
    case .log: "its write-ahead log (-wal) is missing without a clean stop, so the newest acknowledged changes may be lost; put it back"
    case .entries(let known, let found):
      "it ends at entry \(found), but entry \(known) was acknowledged: either this is an older copy, or "
        + "its write-ahead log (-wal) is incomplete; put the newer files back"
    case .otherEntry(let number):
      "its entry \(number) differs from the acknowledged one: the database was continued from an older copy; put the newer files back"
    case .otherDatabase: "its file .mark belongs to another database: put that database back"
    case .mark: "its file .mark cannot be read, so a loss of changes cannot be ruled out; put the file back"
    }
  }
}
