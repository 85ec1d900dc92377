import CairnJournal

/// The committed sessions in memory and in the journal.
struct CommittedSessions: Sendable {
  let cache: SessionCache
  let library: DefinitionLibrary
  let journal: any Journal

  /// Reads a session from the journal, and keeps it in memory; `nil` if it does not exist. Can be called on any thread except the writer's.
  func read(_ id: String) throws(JournalError) -> Session? {
    let mark = cache.mark(id)
    return try keep(try journal.sessions.session(id), readAt: mark)
  }

  /// A session from memory or, if it is not in memory, from the journal; `nil` if it does not exist. Another node may have changed the
  /// session since; the commit detects that. Must be called on the writer's thread.
  func toWrite(_ id: String) throws(JournalError) -> Session? {
    if let session = cache.session(id) { return session }
    let mark = cache.mark(id)
    return try keep(try journal.writer.session(id), readAt: mark)
  }

  /// Builds a session from a record that was read from the journal, and keeps it in memory. Returns `nil` without a record.
  func keep(_ record: SessionRecord?, readAt mark: SessionCache.Mark) throws(JournalError) -> Session? {
    guard let record else { return nil }
    let session = try library.session(record, in: journal.documents)
    cache.keep(session, readAt: mark)
    return session
  }
}
