import CairnJournal

// Issues and checks tickets, which are valid on every node of a shared journal. Every `reply` is called once, on a reader's thread or the
// caller's thread.
extension Store {
  /// Stores a ticket under its hash for `milliseconds`. `place` is the stream that the ticket opens. Replies with `false` if there are
  /// already `limit` unused tickets for this place.
  package func keepTicket(
    _ hash: [UInt8], _ content: [UInt8], for place: String, milliseconds: Int, limit: Int,
    reply: @escaping @Sendable (Result<Bool, StoreFault>) -> Void
  ) {
    let now = clock.now()
    readers.look(place, in: .state, parts, reply) { parts throws(JournalError) in
      try parts.cluster.keepTicket(hash, content, for: place, until: now + milliseconds, now: now, limit: limit)
    }
  }

  /// Replies with the content of an unused ticket for the place, or with `nil` if no such ticket is stored. Uses the ticket up unless
  /// `isLook` is set.
  package func takeTicket(
    _ hash: [UInt8], for place: String, isLook: Bool, reply: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
  ) {
    let now = clock.now()
    readers.look(place, in: .state, parts, reply) { parts throws(JournalError) in
      try parts.cluster.takeTicket(hash, for: place, now: now, isLook: isLook)
    }
  }
}
