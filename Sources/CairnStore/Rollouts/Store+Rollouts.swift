import CairnCore

// Rollouts. Every `reply` is called once, on a reader's thread or the caller's thread.
extension Store {
  /// The newest rollout of each app, as this node knows it. Another node's change is known after a second. Any thread.
  package var rollouts: [String: Rollout] { rolloutRunner.known }

  /// A definition with this hash, from memory or the journal; `nil` if it cannot be read. Any thread. Blocks only if it is not in memory.
  // Unreported: callers answer for an unknown definition.
  package func knownDefinition(_ hash: String) -> PinnedDefinition? { try? parts.library.find(hash, in: parts.journal) }

  /// The newest rollout of an app, from the journal; `nil` if there was none.
  package func rollout(of app: String, reply: @escaping @Sendable (Result<Rollout?, StoreFault>) -> Void) {
    look("rollouts", reply) { parts throws(JournalError) in try parts.journal.rollouts().first { $0.app == app } }
  }

  /// Begins a rollout, or changes one. The fault is `outdated`, and nothing is stored, if the app's rollout is not the version `known`; 0 for none.
  package func keep(_ rollout: Rollout, after known: Int, reply: @escaping @Sendable (Result<Rollout, StoreFault>) -> Void) {
    var next = rollout
    next.version = known + 1
    let changed = next
    let work = SingleRead { [rolloutRunner] parts throws(StoreFault) in
      do throws(JournalError) {
        try parts.journal.keep(changed, after: known)
      } catch {
        throw StoreFault(error)
      }
      rolloutRunner.adopt(changed)
      return changed
    }
    if let fault = readers.offer(work, .list, "rollouts", parts, reply) { reply(.failure(fault)) }
  }
}
