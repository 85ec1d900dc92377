package import CairnCore
package import CairnJournal

/// The parameters of a new session.
package struct NewSession: Sendable {
  package var id: String
  package var definition: PinnedDefinition
  package var label: String?
  package var secretHash: [UInt8]
  package var start: Start
  package var accessToken: String?
  /// The link or notification that started the app; `nil` if neither started it. The session is created even if this command is refused.
  package var arrival: Command?
  /// The fingerprint of the message that caused the arrival; `nil` if the message has no id.
  package var message: Fingerprint?
  package var origin: EntryOrigin
  /// The time at which a manual clock starts, in milliseconds since 1970; `nil` for the current time.
  package var clockStart: Int?

  /// The origin of the first state.
  package enum Start: Sendable {
    /// The session begins with its definition's initial state. `Creation.hasToken` is ignored, because it follows from `accessToken`.
    case creation(Creation)
    /// The session begins with an existing state, and with the secrets that belong to it.
    case state(State, Entry.Replacement, secrets: [SecretSlot: String] = [:])
    /// The session has all entries of an exported session.
    case imported(ImportedSession)
  }

  /// Creates the parameters for an imported session. Its id and its secret are those that were passed to `Store.read`.
  package init(_ imported: ImportedSession, origin: EntryOrigin) {
    let session = imported.session
    self.init(
      id: session.id, definition: session.definition, label: session.label, secretHash: session.secretHash, start: .imported(imported),
      origin: origin)
  }

  package init(
    id: String, definition: PinnedDefinition, label: String? = nil, secretHash: [UInt8], start: Start,
    origin: EntryOrigin = EntryOrigin()
  ) {
    self.id = id
    self.definition = definition
    self.label = label
    self.secretHash = secretHash
    self.start = start
    self.origin = origin
  }

  package init(
    id: String, definition: PinnedDefinition, label: String? = nil, secretHash: [UInt8], creation: Creation,
    accessToken: String? = nil, arrival: Command? = nil, message: Fingerprint? = nil, origin: EntryOrigin = EntryOrigin()
  ) {
    self.origin = origin
    self.id = id
    self.definition = definition
    self.label = label
    self.secretHash = secretHash
    start = .creation(creation)
    self.accessToken = accessToken
    self.arrival = arrival
    self.message = message
  }
}
