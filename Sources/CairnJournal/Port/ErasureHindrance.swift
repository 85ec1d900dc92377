/// The reason why deleted data is still in the files. The raw value is a metric's label.
package enum ErasureHindrance: String, Sendable {
  /// There is no data to erase.
  case none
  /// The last attempt to erase failed.
  case failure
  /// Some deleted rows have not been erased yet.
  case backlog
  /// Another program, such as Litestream or a backup, keeps a read transaction open, so the write-ahead log cannot be emptied.
  case reader

  /// A description of the reason, for the log.
  package var words: String {
    switch self {
    case .none: "nothing"
    case .failure: "the erasure failed"
    case .backlog: "the erasure of deleted data is still in progress"
    case .reader: "another program keeps a read transaction open on the database"
    }
  }
}
