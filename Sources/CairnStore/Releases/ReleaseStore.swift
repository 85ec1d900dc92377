package import CairnJournal

/// Apps' releases: definitions with their editions, migrations between them, and rollouts. Every `reply` is called once, on the
/// writer's thread, a reader's thread or the caller's thread.
package struct ReleaseStore: Sendable {
  let parts: StoreParts
  let readers: Readers
  let rolloutRunner: RolloutRunner

  /// Replies with the stored migration documents of an app.
  package func migrations(of app: String, reply: @escaping @Sendable (Result<[StoredMigration], StoreFault>) -> Void) {
    readers.look("migrations", parts, reply) { parts throws(JournalError) in
      try parts.documents.migrations(of: app, owner: parts.owner(of:))
    }
  }

  /// Stores a migration document. It replaces an earlier document between the same definitions. Sessions that the earlier document has
  /// moved are not changed.
  package func keep(_ migration: StoredMigration, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    parts.mailbox.send(RequestJob(reply) { writer throws(JournalError) in try writer.parts.documents.keep(migration) })
  }
}
