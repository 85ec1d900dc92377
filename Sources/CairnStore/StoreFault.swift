package import CairnCore
package import CairnJournal

/// The reason why the store did not execute a request. The request has left no changes, except perhaps for `uncertain`.
package enum StoreFault: Error, Sendable {
  case unknownSession
  case unknownRevision(newest: Int)
  /// The requested part of the history was forgotten. `first` is the first revision that can be read.
  case historyGone(first: Int)
  /// The current revision is not among the expected ones (`If-Match`), or a session that was found to be expired has been used since.
  case conflict(current: RevisionTag)
  /// A command was refused. `index` is its position in the request, from 0. `revision` is the session's revision before the request, or 0
  /// for a creation.
  case refused(Refusal, index: Int, revision: Int)
  /// The key was used with a different request, or it created a session and the stored response to this creation has expired.
  case keyReused
  /// The request was processed, but its response was forgotten with a part of the session's history.
  case responseForgotten
  case queueFull
  /// Another node has published a newer edition of the app, or has changed the app's rollout, since this node read it.
  case outdated(app: String)
  /// No chain of migrations leads from the definition with the hash `from` to the definition with the hash `to`.
  case noMigration(from: String, to: String)
  /// A part of the session has no counterpart in the other definition. The reason is a sentence without a full stop.
  case notMigrated(String)
  /// The request was made for a definition other than the session's, and cannot be mapped to the session's definition. The reason is a
  /// sentence without a full stop.
  case definitionChanged(current: String, reason: String)
  /// A client posted an action that only operators may post. The text is a phrase, such as "setting the fact plan"; `index` is the command's position.
  case operatorOnly(String, index: Int)
  /// A file does not contain a session that this store can import. The reason is a sentence without a full stop.
  case notImported(String)
  /// Other nodes changed the session during every attempt to run the request.
  case contended
  /// It is unknown whether the changes of the request were stored, because the connection to the database was lost or no standby confirmed the commit.
  case uncertain
  case stopping
  /// The journal failed. The text is for the log.
  case storage(String)

  /// Converts the reason why a write to the journal failed.
  init(_ error: JournalError) {
    switch error {
    case .tooLarge:
      self = .refused(Refusal(.sessionTooLarge, "the session would be larger than the journal can store"), index: 0, revision: 0)
    case .uncertain: self = .uncertain
    case .outdated(let app): self = .outdated(app: app)
    default: self = .storage("\(error)")
    }
  }

  /// Converts the reason why a read of one session failed.
  static func reading(_ error: JournalError) -> StoreFault {
    if case .forgotten(let first) = error { .historyGone(first: first) } else { .storage("\(error)") }
  }

  /// Whether the error is expected in background work, so that it does not count as a failure: the store is stopping, or the session has
  /// been deleted.
  @Sendable package static func isExpectedInBackground(_ error: any Error) -> Bool {
    switch error as? StoreFault {
    case .stopping?, .unknownSession?: true
    default: false
    }
  }
}
