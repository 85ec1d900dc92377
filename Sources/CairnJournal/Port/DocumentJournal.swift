/// The definitions of apps and the documents about them. Can be called on any thread, unless stated otherwise.
package protocol DocumentJournal: Sendable {
  /// The hashes of the stored definitions.
  func definitions() throws(JournalError) -> [String]
  /// The canonical text of a definition; `nil` if it is not stored.
  func definition(_ hash: String) throws(JournalError) -> String?
  /// Announces that sessions of this definition will be read, so that the backend can prepare shared data.
  func expect(_ definition: PinnedDefinition)
  /// The newest edition of each app. Damaged rows are reported separately.
  func editions() throws(JournalError) -> StoredEditions
  /// The newest `Edition.limit` editions of an app, oldest first, without earlier ones that are damaged. Throws `.unreadable` if the newest one is.
  func editions(of app: String) throws(JournalError) -> [Edition]
  /// Stores editions in order, with the texts of their definitions by hash. Returns when they are on disk. If `known` is given, throws `.outdated` and
  /// stores nothing if an app has another newest edition. `rollout` is stored in the same commit; throws `.outdated` and stores nothing if its app has
  /// another version. Damaged editions of the apps are deleted. Called on the writer's thread.
  func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?) throws(JournalError)
  /// The migration documents of an app, sorted by the hashes of their definitions.
  func migrations(of app: String) throws(JournalError) -> [StoredMigration]
  /// Stores a migration document, which replaces one between the same definitions. Returns when it is on disk. Called on the writer's thread.
  func keep(_ migration: StoredMigration) throws(JournalError)
  /// The newest rollout of each app. A row that cannot be read is reported separately.
  func rollouts() throws(JournalError) -> StoredRollouts
  /// Stores a rollout in place of the app's version `known`; 0 for none. Throws `.outdated` and stores nothing if the app has another version.
  func keep(_ rollout: Rollout, after known: Int) throws(JournalError)
}

extension DocumentJournal {
  package func expect(_ definition: PinnedDefinition) {}

  /// Stores editions without a check.
  package func publish(_ editions: [Edition], texts: [String: String]) throws(JournalError) {
    try publish(editions, texts: texts, after: nil)
  }

  /// Stores editions without a rollout.
  package func publish(_ editions: [Edition], texts: [String: String], after known: KnownEditions?) throws(JournalError) {
    try publish(editions, texts: texts, after: known, with: nil)
  }
}
