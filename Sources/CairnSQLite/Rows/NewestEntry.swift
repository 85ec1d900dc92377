/// The newest entry of a database.
struct NewestEntry: Hashable, Sendable {
  /// The number of the entry or deletion; 0 if the database has no entry.
  var entry: Int
  /// The hash of the entry; 0 for a deletion.
  var hash: UInt64
}
