import CairnCore
package import CairnJournal

/// A change of a session's state that no action causes: a migration or an undo.
package enum Alteration: Sendable {
  /// Moves the session to another definition, if a chain of migrations exists. Does not change a session that already has the definition,
  /// or that `isReady` rejects. `way` is a chain of migrations that was read shortly before. It is used if it begins with the session's
  /// definition; otherwise the chain is read.
  case migration(to: PinnedDefinition, environment: [String: String], way: KnownWay?, isReady: @Sendable (Session) -> Bool)
  /// Restores the tree, the facts and the content of an earlier revision, as a new revision. The reason is stored with the entry.
  case undo(to: Session, reason: String?)
}

/// A chain of migrations that was read before, with the hash of the definition at which it begins.
package struct KnownWay: Sendable {
  let from: String
  let chain: MigrationChain
}

extension Staged {
  /// Moves the session to another definition by a chain of migrations, and returns the result. Throws the reason if the session cannot be migrated.
  func migrate(
    to definition: PinnedDefinition, by chain: MigrationChain, environment: [String: String], now: Int, nonce: String, meter: inout Meter
  ) throws(MigrationObstacle) -> Performed {
    let stamp = stamp(now, nonce)
    var state = session.state
    let transition = try chain.migrate(&state, environment: environment, stamp: stamp, meter: &meter)
    let cause = Entry.Replacement.migrated(from: session.definition.hash, to: definition.hash)
    adopt(state, of: definition, cause, stamp, transition)
    return Performed(revision: state.revision, transition: transition)
  }

  /// Restores the tree, the facts and the content of an earlier revision, as a new revision.
  func undo(to past: Session, reason: String?, now: Int, nonce: String) -> Performed {
    let stamp = stamp(now, nonce)
    var state = session.state
    let transition = past.definition.reducer.restore(past.state, in: &state, of: session.definition.reducer, stamp: stamp)
    adopt(state, of: past.definition, .undone(to: past.state.revision, reason: reason), stamp, transition)
    return Performed(revision: state.revision, transition: transition)
  }
}

extension Writer {
  /// Alters a session. If the session is not changed, the result has the outcome `unchanged`. Throws `noMigration` or `notMigrated` if the session cannot
  /// move to the definition.
  func alter(
    _ alteration: Alteration, _ staged: Staged, _ matching: [RevisionTag]?, from origin: EntryOrigin, in batch: inout Batch
  ) throws(StoreFault) -> Posted {
    try staged.check(matching)
    parts.bound(staged)
    staged.origin = origin
    defer { staged.origin = EntryOrigin() }
    let performed: Performed
    switch alteration {
    case .undo(let past, let reason): performed = staged.undo(to: past, reason: reason, now: parts.clock.now(), nonce: parts.nonce())
    case .migration(let definition, let environment, let way, let isReady):
      let old = staged.session.definition.hash
      guard old != definition.hash else { return staged.unchanged("already-there") }
      guard isReady(staged.session) else { return staged.unchanged("not-ready") }
      let chain = try parts.way(way, from: old, to: definition.hash, of: staged.session.app)
      guard let chain else { throw .noMigration(from: old, to: definition.hash) }
      parts.library.remember(definition, for: parts.documents)
      var meter = Meter(parts.limits.bounds)
      do {
        performed = try staged.migrate(
          to: definition, by: chain, environment: environment, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter)
      } catch {
        throw .notMigrated(error.reason)
      }
    }
    batch.keep(staged)
    return Posted(session: staged.session, performed: [performed])
  }
}

extension StoreParts {
  /// Returns the chain of migrations from one definition to another: `known` if it begins with the first definition, otherwise the chain
  /// that is read. `nil` if no chain exists.
  fileprivate func way(_ known: KnownWay?, from old: String, to new: String, of app: String) throws(StoreFault) -> MigrationChain? {
    if let known, known.from == old { return known.chain }
    return try way(from: old, to: new, of: app)
  }

  /// The chain of migrations from one definition to another; `nil` if no chain exists.
  func way(from old: String, to new: String, of app: String) throws(StoreFault) -> MigrationChain? {
    do {
      return try migrations.way(from: old, to: new, of: app, in: documents)
    } catch {
      throw .storage("\(error)")
    }
  }
}
