// Which definitions apps are and were served with. Every `reply` comes once, on the writer's, a reader's or the caller's thread.
extension Store {
  /// Keeps editions, in order, with the texts of their definitions by hash; answers when they are on disk.
  package func publish(
    _ editions: [Edition], texts: [String: String], reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void
  ) {
    if let fault = parts.mailbox.offer(.publish(editions, texts: texts, reply)) { reply(.failure(fault)) }
  }

  /// The newest edition of each app.
  package func editions(reply: @escaping @Sendable (Result<[Edition], StoreFault>) -> Void) {
    look("editions", reply) { parts throws(JournalError) in try parts.journal.editions() }
  }

  /// The editions of an app that are kept, oldest first, and what its sessions are on.
  package func versions(
    of app: String, reply: @escaping @Sendable (Result<(editions: [Edition], uses: [DefinitionUse]), StoreFault>) -> Void
  ) {
    look("versions", reply) { parts throws(JournalError) in (try parts.journal.editions(of: app), try parts.journal.uses(of: app)) }
  }

  /// The definition with this hash; nil: none is known.
  package func definition(_ hash: String, reply: @escaping @Sendable (Result<PinnedDefinition?, StoreFault>) -> Void) {
    // Anyone may ask, so it goes where anyone's first look goes.
    look(hash, in: .state, reply) { parts throws(JournalError) in try parts.library.find(hash, in: parts.journal) }
  }

  /// One look at the journal.
  private func look<Answer: Sendable>(
    _ key: String, in lane: Read.Lane = .list, _ reply: @escaping Reply<Answer>,
    _ find: @escaping @Sendable (StoreParts) throws(JournalError) -> Answer
  ) {
    let read = SingleRead { parts throws(StoreFault) in
      do {
        return try find(parts)
      } catch {
        throw StoreFault.storage("\(error)")
      }
    }
    if let fault = readers.offer(read, lane, key, parts, reply) { reply(.failure(fault)) }
  }
}
