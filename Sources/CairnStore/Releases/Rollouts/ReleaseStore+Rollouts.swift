import CairnCore
package import CairnJournal

// Reads, begins and changes rollouts. Every `reply` is called once, on a reader's thread or the caller's thread.
extension ReleaseStore {
  /// The newest known rollout of each app. A change at another node becomes known within about a second. Thread-safe.
  package var rollouts: [String: Rollout] { rolloutRunner.known }

  /// The rollouts that this node cannot read, sorted by app. Thread-safe.
  package var damagedRollouts: [StoredRollouts.Damaged] { rolloutRunner.damaged }

  /// The newest known rollout of an app; `nil` if the app has no rollout. Throws if the rollout cannot be read. Thread-safe.
  package func knownRollout(of app: String) throws(StoreFault) -> Rollout? { try rolloutRunner.rollout(of: app) }

  /// Reads the newest rollout of each app from the journal.
  package func rollouts(reply: @escaping @Sendable (Result<StoredRollouts, StoreFault>) -> Void) {
    readers.look("rollouts", parts, reply) { parts throws(JournalError) in try parts.documents.rollouts() }
  }

  /// Reads the newest rollout of an app from the journal; replies with `nil` if the app has none.
  package func rollout(of app: String, reply: @escaping @Sendable (Result<Rollout?, StoreFault>) -> Void) {
    readers.look("rollouts", parts, reply) { parts throws(JournalError) in try parts.documents.rollouts().rollout(of: app) }
  }

  /// Begins or changes a rollout. The fault is `outdated`, and nothing is stored, if the stored version of the app's rollout is not
  /// `change.known`.
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

  /// Begins or changes a rollout. The rollout gets the version after `known`, which must be the stored one. Replies with the stored
  /// rollout.
  package func keep(_ rollout: Rollout, after known: Int, reply: @escaping @Sendable (Result<Rollout, StoreFault>) -> Void) {
    let change = RolloutChange(rollout, after: known)
    keep(change) { result in reply(result.map { change.rollout }) }
  }
}
