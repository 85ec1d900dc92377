import CairnCore
package import CairnJournal

// Migrates sessions, and restores earlier revisions of them. Every `reply` is called once, on the writer's thread, a reader's thread or the caller's thread.
extension Store {
  /// Moves a session to another definition. `environment` contains the variables that the definition names. If `isReady` returns `false`, the session is not
  /// changed, and the result has the outcome `unchanged`.
  package func migrate(
    _ session: String, to definition: PinnedDefinition, environment: [String: String], matching: [RevisionTag]? = nil,
    origin: EntryOrigin = EntryOrigin(), if isReady: @escaping @Sendable (Session) -> Bool = { _ in true },
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    alter(.migration(to: definition, environment: environment, way: nil, isReady: isReady), session, matching, origin, reply)
  }

  /// Restores the tree, the facts and the content of an earlier revision, as a new revision. A reader thread reads the past state, so that
  /// the writer need not read the journal.
  package func undo(
    _ session: String, to revision: Int, reason: String?, matching: [RevisionTag]? = nil, origin: EntryOrigin = EntryOrigin(),
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    undoing(session, to: revision, reason: reason) { result in
      switch result {
      case .failure(let fault): reply(.failure(fault))
      case .success(let undo): self.alter(undo, session, matching, origin, reply)
      }
    }
  }

  /// Reads the past state for an undo. The caller passes the result to a post under an idempotency key (`Post.Work.alteration`).
  package func undoing(
    _ session: String, to revision: Int, reason: String?, reply: @escaping @Sendable (Result<Alteration, StoreFault>) -> Void
  ) {
    self.session(session, at: revision) { result in reply(result.map { .undo(to: $0, reason: reason) }) }
  }

  private func alter(
    _ alteration: Alteration, _ session: String, _ matching: [RevisionTag]?, _ origin: EntryOrigin, _ reply: @escaping Reply<Posted>
  ) {
    parts.mailbox.send(PostJob(Post(.alteration(alteration), to: session, matching: matching, origin: origin), reply))
  }

  /// Replies with the result that a migration of a session would have. Stores nothing.
  package func planMigration(
    _ session: String, to definition: PinnedDefinition, environment: [String: String], matching: [RevisionTag]? = nil,
    reply: @escaping @Sendable (Result<Planned, StoreFault>) -> Void
  ) {
    let plan = SingleRead { parts throws(StoreFault) in
      let session = try parts.existing(session)
      let result = Result { () throws(StoreFault) in
        let staged = Staged(session, parts.hashKey)
        try staged.check(matching)
        guard session.definition.hash != definition.hash else { return staged.unchanged("already-there") }
        guard let chain = try parts.way(from: session.definition.hash, to: definition.hash, of: session.app) else {
          throw StoreFault.noMigration(from: session.definition.hash, to: definition.hash)
        }
        var meter = Meter(parts.limits.bounds)
        do throws(MigrationObstacle) {
          let performed = try staged.migrate(
            to: definition, by: chain, environment: environment, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter)
          return Posted(session: staged.session, performed: [performed])
        } catch {
          throw StoreFault.notMigrated(error.reason)
        }
      }
      return Planned(session: session, result: result, opening: nil)
    }
    if let fault = readers.offer(plan, .past, session, parts, reply) { reply(.failure(fault)) }
  }
}
