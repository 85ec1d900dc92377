import CairnCore
import CairnJournal

// Runs jobs and collects their changes in a batch. Committed states are not modified.
extension Writer {
  func create(_ new: NewSession, in batch: inout Batch) throws(StoreFault) -> Created {
    guard batch[new.id] == nil, try isNew(new.id) else { throw .storage("session id \(new.id) is already in use") }
    parts.library.remember(new.definition, for: parts.documents)
    let staged: Staged
    var meter = Meter(parts.limits.bounds)
    switch new.start {
    case .creation(let creation):
      do {
        staged = try Staged(
          new, creation, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter, hasSubscribers: parts.feed.isActive, parts.proofs,
          parts.hashKey)
      } catch {
        throw .refused(error, index: 0, revision: 0)
      }
    case .state(let state, let cause, let secrets):
      staged = Staged(new, state, cause, secrets, now: parts.clock.now(), nonce: parts.nonce(), parts.hashKey)
    case .imported(let imported): staged = Staged(imported, parts.hashKey)
    }
    staged.proofs = parts.proofs
    let transition = staged.born ?? Transition(outcome: .performed)
    let performed = Performed(revision: staged.session.state.revision, transition: transition)
    var opened: Result<Performed, Refusal>?
    if let arrival = new.arrival {
      staged.origin = new.origin
      defer { staged.origin = EntryOrigin() }
      opened = Result { () throws(Refusal) in try staged.perform(arrival, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter) }
    }
    if let message = new.message, case .success(let performed)? = opened { answers.note(message, of: [performed], staged) }
    batch.keep(staged)
    return Created(session: staged.session, performed: performed, opened: opened)
  }

  /// Whether no session has this id. Returns `true` without a read if the check is left to the commit (`isLeftToCommit`).
  func isNew(_ id: String) throws(StoreFault) -> Bool {
    if isLeftToCommit(id) { return true }
    do {
      return try parts.sessions.version(of: id) == nil
    } catch {
      throw .storage("\(error)")
    }
  }

  /// Whether only the commit checks that the id of a new session is unused. After a conflict, the request runs again, and this time the id
  /// is checked first.
  func isLeftToCommit(_ id: String) -> Bool { nodes.commitDecides && !reruns.isRunning(id) }
}

extension StoreParts {
  /// Returns the session with the changes of the batch so far or, if the batch does not use it, as committed; `nil` if it does not exist.
  func find(_ id: String, in batch: inout Batch) throws(StoreFault) -> Staged? {
    if let staged = batch[id] { return staged.isGone ? nil : staged }
    do {
      guard let session = try committed.toWrite(id) else { return nil }
      let staged = Staged(session, hasSubscribers: feed.isActive, hashKey)
      staged.proofs = proofs
      staged.committed = sessions
      nodes.noteRead(staged, in: &batch)
      return staged
    } catch {
      throw .storage("\(error)")
    }
  }
}
