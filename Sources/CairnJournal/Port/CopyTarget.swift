/// A record that a session was created under an idempotency key and has been deleted since.
package struct SpentCreation: Hashable, Sendable {
  /// A hash of the session's id.
  package var key: [UInt8]
  /// The fingerprint of the request.
  package var print: Fingerprint
  /// The time until which the record is kept, in milliseconds since 1970.
  package var until: Int

  package init(key: [UInt8], print: Fingerprint, until: Int) {
    self.key = key
    self.print = print
    self.until = until
  }
}

/// A journal whose contents are copied into another journal.
package protocol CopySource: Journal {
  /// The stored records of creations whose sessions were deleted.
  func spentCreations() throws(JournalError) -> [SpentCreation]
}

/// A journal into which another journal is copied. No service can open it until the copy is complete.
package protocol CopyTarget: Journal {
  /// The place in the source's list of sessions (`SessionJournal.roster`) up to which all sessions have been copied; 0 at the beginning.
  func copied() throws(JournalError) -> Int
  func noteCopied(upTo place: Int) throws(JournalError)
  func keepCreations(_ creations: [SpentCreation]) throws(JournalError)
  /// Marks the copy as complete, so that services can open the journal.
  func endCopy() throws(JournalError)
}
