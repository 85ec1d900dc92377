package import CairnCore

/// A session as it was after a commit: what readers see.
package struct Session: Sendable {
  package var id: String
  package var definition: PinnedDefinition
  /// Free text given at creation.
  package var label: String?
  /// Milliseconds since 1970.
  package var createdAt: Int
  /// The time of its newest entry; of a manual clock, if it has one.
  package var updatedAt: Int
  /// SHA-256 of its secret.
  package var secretHash: [UInt8]
  package var state: State
  /// Its body as the API shows it, once somebody has asked.
  package let rendering = Rendering()

  package var app: String { definition.definition.app }

  package init(
    id: String, definition: PinnedDefinition, label: String?, createdAt: Int, updatedAt: Int, secretHash: [UInt8], state: State
  ) {
    self.id = id
    self.definition = definition
    self.label = label
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.secretHash = secretHash
    self.state = state
  }
}

/// What starts a session.
package struct NewSession: Sendable {
  package var id: String
  package var definition: PinnedDefinition
  package var label: String?
  package var secretHash: [UInt8]
  /// `hasToken` is set by whether there is an `accessToken`.
  package var creation: Creation
  package var accessToken: String?
  /// The link or notification of a cold start; the creation never fails for it.
  package var arrival: Command?

  package init(
    id: String, definition: PinnedDefinition, label: String? = nil, secretHash: [UInt8], creation: Creation,
    accessToken: String? = nil, arrival: Command? = nil
  ) {
    self.id = id
    self.definition = definition
    self.label = label
    self.secretHash = secretHash
    self.creation = creation
    self.accessToken = accessToken
    self.arrival = arrival
  }
}

/// One command's own answer, with the revision that it left.
package struct Performed: Sendable {
  package var revision: Int
  package var transition: Transition

  package init(revision: Int, transition: Transition) {
    self.revision = revision
    self.transition = transition
  }
}

/// The answer to a creation. `opened` is the arrival's own answer, if there was one.
package struct Created: Sendable {
  package var session: Session
  package var performed: Performed
  package var opened: Result<Performed, Refusal>?

  package init(session: Session, performed: Performed, opened: Result<Performed, Refusal>? = nil) {
    self.session = session
    self.performed = performed
    self.opened = opened
  }
}

/// The answer to one or several commands; one `Performed` each.
package struct Posted: Sendable {
  package var session: Session
  package var performed: [Performed]

  package init(session: Session, performed: [Performed]) {
    self.session = session
    self.performed = performed
  }
}

/// An entry as the history shows it.
package struct HistoryItem: Sendable {
  package var entry: Entry
  package var transition: Transition

  package init(entry: Entry, transition: Transition) {
    self.entry = entry
    self.transition = transition
  }
}

/// Why the store did not do what was asked; nothing of it lasted.
package enum StoreFault: Error, Sendable {
  case unknownSession
  case unknownRevision(newest: Int)
  /// `If-Match` named other revisions than this one.
  case conflict(current: Int)
  /// `index` counts the commands of the request from 0; `revision` is the one it was judged by.
  case refused(Refusal, index: Int, revision: Int)
  case queueFull
  case stopping
  /// The journal could not do it; the text is for the log.
  case storage(String)
}
