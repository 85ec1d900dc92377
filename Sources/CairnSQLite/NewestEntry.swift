/// The newest entry of a database.
struct NewestEntry: Hashable, Sendable {
  /// Its number, or that of a deletion; 0: there is none.
  var entry: Int
  /// Its hash; 0: it is a deletion.
  var hash: UInt64
}
