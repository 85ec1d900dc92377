import CairnCore
package import CairnJournal

// Rollouts. Every `reply` is called once, on a reader's thread or the caller's thread.
extension Store {
  /// The newest rollout of each app, as this node knows it. Another node's change is known after a second. Any thread.
  package var rollouts: [String: Rollout] { rolloutRunner.known }

  /// The rollouts that cannot be read, as this node knows them. Any thread.
  package var damagedRollouts: [StoredRollouts.Damaged] { rolloutRunner.damaged }

  /// The newest rollout of an app as this node knows it; `nil` if it has none. Throws if it cannot be read. Any thread.
  package func knownRollout(of app: String) throws(StoreFault) -> Rollout? { try rolloutRunner.rollout(of: app) }

  /// The newest rollout of each app, from the journal.
  package func rollouts(reply: @escaping @Sendable (Result<StoredRollouts, StoreFault>) -> Void) {
    look("rollouts", reply) { parts throws(JournalError) in try parts.documents.rollouts() }
  }

  /// The newest rollout of an app, from the journal; `nil` if there was none.
  package func rollout(of app: String, reply: @escaping @Sendable (Result<Rollout?, StoreFault>) -> Void) {
    look("rollouts", reply) { parts throws(JournalError) in try parts.documents.rollouts().rollout(of: app) }
  }

  /// Begins a rollout, or changes one. The fault is `outdated`, and nothing is stored, if the app has another version than the known one.
  package func keep(_ change: RolloutChange, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    let work = SingleRead { [rolloutRunner] parts throws(StoreFault) in
      do throws(JournalError) {
        try parts.documents.keep(change.rollout, after: change.known)
      } catch {
        throw StoreFault(error)
      }
      rolloutRunner.adopt(change.rollout)
    }
    if let fault = readers.offer(work, .list, "rollouts", parts, reply) { reply(.failure(fault)) }
  }

  /// The same, with the version behind `known`. Replies with the stored rollout.
  package func keep(_ rollout: Rollout, after known: Int, reply: @escaping @Sendable (Result<Rollout, StoreFault>) -> Void) {
    let change = RolloutChange(rollout, after: known)
    keep(change) { result in reply(result.map { change.rollout }) }
  }
}
