import CairnCore
package import CairnJournal

// Reads and records the current and previous definitions of apps. Every `reply` is called once, on the writer's thread, a reader's thread
// or the caller's thread.
extension ReleaseStore {
  /// Stores editions in order, with the texts of their definitions by hash. Replies when they are on disk. The fault is `outdated`, and
  /// nothing is stored, if another node has published a newer edition of an app than the one in `known`. `rollout` is stored in the same
  /// commit; the fault is also `outdated` if the stored version of the app's rollout is not `rollout.known`.
  package func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions, with rollout: RolloutChange? = nil,
    reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void
  ) {
    let adopt: Reply<Void> = { [rolloutRunner] result in
      if let rollout, case .success = result { rolloutRunner.adopt(rollout.rollout) }
      reply(result)
    }
    parts.mailbox.send(
      RequestJob(adopt) { writer throws(JournalError) in
        try writer.parts.documents.publish(
          editions, texts: texts, after: writer.nodes.commitDecides ? known : nil, with: rollout, owner: writer.parts.owner(of:))
      })
  }

  /// Replies with the newest edition of each app.
  package func editions(reply: @escaping @Sendable (Result<StoredEditions, StoreFault>) -> Void) {
    // If nodes share the journal, each creation of a session reads the editions, so this read uses the lane with the highest priority.
    readers.look("editions", in: .state, parts, reply) { parts throws(JournalError) in
      var stored = try parts.documents.editions()
      stored.correctApps(parts.owner(of:))
      return stored
    }
  }

  /// Replies with the stored editions of an app, oldest first, and with the definitions that its sessions use.
  package func versions(
    of app: String, reply: @escaping @Sendable (Result<(editions: [Edition], uses: [DefinitionUse]), StoreFault>) -> Void
  ) {
    readers.look("versions", parts, reply) { parts throws(JournalError) in
      (try parts.documents.editions(of: app, owner: parts.owner(of:)), try parts.sessions.uses(of: app))
    }
  }

  /// Replies with the definition with this hash; with `nil` if it does not exist.
  package func definition(_ hash: String, reply: @escaping @Sendable (Result<PinnedDefinition?, StoreFault>) -> Void) {
    // Any caller may send this request, so it uses the lane of newest states, which has the highest priority.
    readers.look(hash, in: .state, parts, reply) { parts throws(JournalError) in try parts.library.find(hash, in: parts.documents) }
  }
}
