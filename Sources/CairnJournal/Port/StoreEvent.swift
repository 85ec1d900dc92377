package import CairnCore

/// An event for the operator's log. It contains no secrets.
package enum StoreEvent: Hashable, Sendable {
  case journalFailed(JournalError)
  case journalRecovered
  /// The changes of one session in a batch were not written. The changes of the other sessions were written.
  case sessionNotWritten(session: String, JournalError)
  /// A session cannot be read, so its effects do not run.
  case sessionUnreadable(session: String, reason: String)
  /// The stored state of a session differs from the state that its entries produce, or the session cannot be read.
  case sessionDamaged(session: String, reason: String)
  /// The reducer refused the end of an effect. If the end was the result of a call, the effect ends as failed; any other end is ignored.
  case effectRefused(session: String, effect: Int, code: Refusal.Code)
  /// The consequences of an effect's end exceeded a bound, so the effect was ended without them.
  case effectAbandoned(session: String, effect: Int, reason: String)
  /// An effect could not be run because of a fault. It is retried.
  case effectDeferred(session: String, effect: Int, reason: String)
  /// Sessions of a definition have expired.
  case expired(sessions: Int, definition: String)
  /// Deleted data is still in the database files after this many seconds.
  case erasureOverdue(seconds: Int, reason: String)
  /// All deleted data has been erased. This event occurs only after an `erasureOverdue` event.
  case erasureDone
  /// Acknowledged data is missing, and the operator accepted the loss at startup.
  case lossAccepted(reason: String)
  /// A session has lost revisions that this node knew. `newest` is the newest remaining revision. At most one such event is logged per
  /// minute.
  case revisionsLost(session: String, lost: String, newest: String)
  /// A stored rollout cannot be read. Until a new rollout replaces it, no session of its app can be created.
  case rolloutDamaged(app: String, reason: String)
  /// The disk is full. The reserved space is used for deletions, and no other data is written until more space is free.
  case reserveGivenUp
  /// The database cannot be written. The service only serves reads.
  case readingOnly(reason: String)
  /// More sessions have expired than may end within an hour. The remaining sessions are ended in later rounds.
  case expiryHeld(share: Int)
  /// The machine's clock advanced by this many seconds more than the monotonic clock.
  case clockJumped(seconds: Int)
  /// A background task failed, and is retried. The event is repeated only if the reason changes.
  case backgroundFailed(BackgroundTask, reason: String)
  /// A background task succeeded after a `backgroundFailed` event.
  case backgroundRecovered(BackgroundTask)
  /// A shared database is in an older state than before, because of a restore or a loss.
  case databaseOlder(reason: String)
  /// After a restore, sessions were deleted again, and histories were forgotten again.
  case erasuresRepeated(sessions: Int, histories: Int)
  /// A session was deleted, together with messages that had not ended.
  case messagesDropped(session: String, messages: Int)
  /// An outgoing call failed.
  case callFailed(session: String, effect: Int, reason: String)

  /// Whether the event requires the operator's attention.
  package var isError: Bool {
    switch self {
    case .journalFailed, .sessionNotWritten, .effectDeferred, .sessionUnreadable, .sessionDamaged, .erasureOverdue, .lossAccepted,
      .reserveGivenUp, .readingOnly, .expiryHeld, .clockJumped, .backgroundFailed, .databaseOlder, .revisionsLost,
      .rolloutDamaged:
      true
    case .journalRecovered, .effectRefused, .effectAbandoned, .callFailed, .expired, .erasureDone, .backgroundRecovered, .erasuresRepeated,
      .messagesDropped:
      false
    }
  }
}

extension StoreEvent {
  /// The session of the event; `nil` if the event concerns no single session.
  package var session: String? {
    switch self {
    case .sessionNotWritten(let session, _), .sessionUnreadable(let session, _), .sessionDamaged(let session, _),
      .effectRefused(let session, _, _), .effectAbandoned(let session, _, _), .effectDeferred(let session, _, _),
      .callFailed(let session, _, _), .revisionsLost(let session, _, _), .messagesDropped(let session, _):
      session
    case .journalFailed, .journalRecovered, .expired, .erasureOverdue, .erasureDone, .lossAccepted, .reserveGivenUp, .readingOnly,
      .expiryHeld, .clockJumped, .backgroundFailed, .backgroundRecovered, .databaseOlder, .erasuresRepeated, .rolloutDamaged:
      nil
    }
  }
}

extension StoreEvent: CustomStringConvertible {
  package var description: String {
    switch self {
    case .journalFailed(let error): "journal: \(error)"
    case .journalRecovered: "the journal can be written again"
    case .sessionNotWritten(let session, let error): "session \(session): its changes were not written, \(error)"
    case .sessionUnreadable(let session, let reason): "session \(session): its effects were stopped, \(reason)"
    case .effectRefused(let session, let effect, let code):
      "effect \(effect) of session \(session): its result was refused and therefore ignored, \(code.rawValue)"
    case .effectAbandoned(let session, let effect, let reason):
      "effect \(effect) of session \(session): ended without sending its step or changing content, \(reason)"
    case .effectDeferred(let session, let effect, let reason): "effect \(effect) of session \(session): will be retried, \(reason)"
    case .sessionDamaged(let session, let reason): "session \(session): damaged, \(reason)"
    case .expired(let sessions, let definition): "\(CountText.of(sessions, "session")) of definition \(definition) expired"
    case .revisionsLost(let session, let lost, let newest):
      "the database has lost acknowledged revisions: session \(session) was at \(lost) and is at \(newest); its streams restart with reset. "
        + "Other sessions may have lost revisions, too; see the metric cairn_lost_revisions_total and docs/cluster.md"
    case .rolloutDamaged(let app, let reason):
      "the rollout of \(app) is damaged, so no session of \(app) is created: \(reason); start a new rollout of the app, which replaces it"
    case .erasureOverdue(let seconds, let reason):
      "the journal's files still contain deleted data after \(seconds) s: \(reason)"
    case .erasureDone: "the journal's files no longer contain deleted data"
    case .lossAccepted(let reason): "journal: acknowledged data is missing, and the operator accepted the loss: \(reason)"
    case .reserveGivenUp:
      "journal: the disk is full; deletions use the reserved space, all other writes get 503 until space is free"
    case .readingOnly(let reason):
      "journal: only reads are served, all other requests get 503: \(reason); make the disk writable, then restart the service"
    case .expiryHeld(let share):
      "expiry is limited: more than 100 sessions, and more than \(share) % of all, would expire within an hour; "
        + "check the machine's clock and sessionTtl. "
        + "The others expire in later hours; to end them at once, use DELETE /v1/sessions?… or raise expiryShare"
    case .clockJumped(let seconds):
      "the machine's clock jumped ahead by \(seconds) s; sessions that expire only because of the jump end after an hour at the earliest"
    case .backgroundFailed(let task, let reason): "\(task.rawValue): failed and will be retried: \(reason)"
    case .backgroundRecovered(let task): "\(task.rawValue): succeeded again after failures"
    case .databaseOlder(let reason): "journal: \(reason)"
    case .erasuresRepeated(let sessions, let histories):
      "journal: after a restore, deleted again: \(CountText.of(sessions, "session")); "
        + "forgotten again: \(CountText.of(histories, "history", plural: "histories"))"
    case .messagesDropped(let session, let messages):
      "session \(session): deleted with \(CountText.of(messages, "message")) that had not ended"
    case .callFailed(let session, let effect, let reason): "effect \(effect) of session \(session): \(reason)"
    }
  }
}
