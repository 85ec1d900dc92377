/// The beginning of a session's journal after earlier entries were forgotten.
package struct JournalBeginning: Hashable, Sendable {
  /// The revision of the first state. The entry that created it is also forgotten.
  package var revision: Int
  /// The hash of the session's unchanging part, which the hash of the first entry covered.
  package var identity: UInt64

  package init(_ revision: Int, identity: UInt64) {
    self.revision = revision
    self.identity = identity
  }
}
