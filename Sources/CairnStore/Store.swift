package import CairnCore

/// The single owner of the truth: every command runs here, one after the other, and is answered after its commit.
/// Every `reply` comes exactly once, on the writer's, the reader's or the caller's thread.
package final class Store: Sendable {
  /// Starts a session.
  package func create(_ new: NewSession, reply: @escaping @Sendable (Result<Created, StoreFault>) -> Void) {
    reply(.failure(.stopping))
  }

  /// Runs commands, all or none. `matching`: the revisions that the caller expects, nil for any.
  package func post(
    _ commands: [Command], to session: String, matching: [Int]? = nil,
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    reply(.failure(.stopping))
  }

  /// Ends a session; nothing of it is left.
  package func delete(_ session: String, matching: [Int]? = nil, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    reply(.failure(.stopping))
  }

  /// The newest committed session. Never waits for the writer.
  package func session(_ id: String, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void) {
    reply(.failure(.stopping))
  }

  /// The session as it was at a revision.
  package func session(_ id: String, at revision: Int, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void) {
    reply(.failure(.stopping))
  }

  /// Entries after a revision, oldest first; `more` says whether there are further ones.
  package func history(
    of id: String, after revision: Int, limit: Int,
    reply: @escaping @Sendable (Result<(items: [HistoryItem], more: Bool), StoreFault>) -> Void
  ) {
    reply(.failure(.stopping))
  }

  /// Sessions by creation, oldest first, after a session id.
  package func sessions(
    app: String?, label: String?, after: String?, limit: Int,
    reply: @escaping @Sendable (Result<(sessions: [Session], more: Bool), StoreFault>) -> Void
  ) {
    reply(.failure(.stopping))
  }

  /// What `/metrics` and `/readyz` say of it.
  package var figures: StoreFigures { StoreFigures() }
}

/// Counters since the start, and gauges.
package struct StoreFigures: Sendable {
  package var commits = 0
  /// Actions in all commits; divided by `commits` the mean batch.
  package var committedActions = 0
  package var largestBatch = 0
  package var queueDepth = 0
  package var queueLimit = 0
  package var sessions = 0
  package var isAccepting = true
  /// Why the journal cannot be written, if it cannot.
  package var journalFault: String?

  package init() {}
}
