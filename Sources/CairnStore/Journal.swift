package import CairnCore

/// What lasts. One backend, one room; nothing above may know which one runs.
/// The writer alone commits; the reading calls come from the writer's and the reader's thread at the same time.
package protocol Journal: Sendable {
  /// Writes a batch in one transaction and returns when it is on disk; on an error nothing of it is there.
  func commit(_ batch: JournalBatch) throws(JournalError)
  /// The newest committed state of a session; nil: there is none.
  func session(_ id: String) throws(JournalError) -> SessionRecord?
  /// Sessions by creation, oldest first; nil: the session that `after` names is not there.
  func sessions(_ query: SessionQuery) throws(JournalError) -> [SessionRecord]?
  /// The ids of the sessions whose state has effects.
  func sessionsWithEffects() throws(JournalError) -> [String]
  /// Entries with a revision above `after`, oldest first.
  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [Entry]
  /// The canonical text of a definition.
  func definition(_ hash: String) throws(JournalError) -> String?
  /// A secret in clear; for the one call that needs it.
  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String?
  /// How many sessions there are.
  func count() throws(JournalError) -> Int
  /// Writes something small and commits it: whether the journal can be written again.
  func probe() throws(JournalError)
  /// Brings everything into its final place and lets go of it. Later calls throw `.closed`.
  func close()
}

/// A session as the journal keeps it.
package struct SessionRecord: Hashable, Sendable {
  package var id: String
  package var app: String
  /// The hash of its definition.
  package var definition: String
  package var label: String?
  /// Milliseconds since 1970.
  package var createdAt: Int
  package var updatedAt: Int
  /// SHA-256 of its secret.
  package var secretHash: [UInt8]
  package var state: State

  package init(
    id: String, app: String, definition: String, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State
  ) {
    self.id = id
    self.app = app
    self.definition = definition
    self.label = label
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.secretHash = secretHash
    self.state = state
  }
}

/// Which sessions are asked for.
package struct SessionQuery: Hashable, Sendable {
  package var app: String?
  package var label: String?
  /// A session id; those created after it.
  package var after: String?
  package var limit: Int

  package init(app: String? = nil, label: String? = nil, after: String? = nil, limit: Int) {
    self.app = app
    self.label = label
    self.after = after
    self.limit = limit
  }
}

/// What a secret of a session is for.
package enum SecretSlot: Hashable, Sendable {
  case token
  /// The code of a token call that runs as this effect.
  case code(effect: Int)
}

/// What one commit writes.
package struct JournalBatch: Sendable {
  /// Canonical texts by hash; one that is there already stays.
  package var definitions: [String: String]
  /// At most one a session.
  package var sessions: [SessionWrite]
  /// Sessions of which nothing may be left: entries, state, secrets.
  package var deletions: [String]

  package var isEmpty: Bool { sessions.isEmpty && deletions.isEmpty && definitions.isEmpty }

  package init(definitions: [String: String] = [:], sessions: [SessionWrite] = [], deletions: [String] = []) {
    self.definitions = definitions
    self.sessions = sessions
    self.deletions = deletions
  }
}

/// The new entries of a session, and its state after the last of them.
package struct SessionWrite: Sendable {
  package var record: SessionRecord
  /// The revision that the journal must have, else `.conflict`; 0: the session must be new.
  package var after: Int
  package var entries: [Entry]
  package var secrets: [SecretSlot: SecretChange]

  package init(_ record: SessionRecord, after: Int, entries: [Entry], secrets: [SecretSlot: SecretChange] = [:]) {
    self.record = record
    self.after = after
    self.entries = entries
    self.secrets = secrets
  }
}

/// What becomes of a secret.
package enum SecretChange: Hashable, Sendable {
  case keep(String)
  case forget
}

/// Why the journal could not do it. The texts are for the log and hold no secret.
package enum JournalError: Error, Hashable, Sendable {
  /// Somebody else holds it; trying again may help.
  case busy
  /// No room is left.
  case full
  case readOnly
  case corrupt(String)
  /// The stored revision is not the one that the write was made for.
  case conflict(session: String)
  /// What is stored cannot be read by this version, or not with this key.
  case unreadable(String)
  case io(String)
  case closed
}

extension JournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .busy: "the journal is locked by somebody else"
    case .full: "no room is left for the journal"
    case .readOnly: "the journal cannot be written"
    case .corrupt(let text): "the journal is damaged: \(text)"
    case .conflict(let session): "session \(session) was changed by somebody else"
    case .unreadable(let text): "stored data cannot be read: \(text)"
    case .io(let text): "the journal failed: \(text)"
    case .closed: "the journal is closed"
    }
  }
}
