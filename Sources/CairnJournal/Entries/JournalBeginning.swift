/// Where the journal of a session begins after earlier entries were forgotten.
package struct JournalBeginning: Hashable, Sendable {
  /// The revision of the first state. Its own entry is forgotten too.
  package var revision: Int
  /// The hash of the session's unchanging part, which the hash of the first entry covered.
  package var identity: UInt64

  package init(_ revision: Int, identity: UInt64) {
    self.revision = revision
    self.identity = identity
  }
}
