import CairnCore
import CairnJournal

extension Staged {
  /// Creates a session that begins with `state`. The difference of its first entry contains the whole state. `now` is the time of creation
  /// and, unless the state has a manual clock, the time of the entry.
  convenience init(
    _ new: NewSession, _ state: State, _ cause: Entry.Replacement, _ secrets: [SecretSlot: String], now: Int, nonce: String,
    _ key: SipHash.Key
  ) {
    let stamp = Stamp(time: state.manualTime ?? now, nonce: nonce)
    let identity = SessionIdentity(
      id: new.id, app: new.definition.definition.app, label: new.label, createdAt: now, secretHash: new.secretHash)
    let entry = Entry(
      revision: state.revision, stamp: stamp, cause: .replacement(cause), author: new.origin.author, request: new.origin.request)
    let first = JournalEntry(
      entry, from: StateFormat.empty, to: state, definition: new.definition.hash, label: new.label, seal: (identity.hash(key), key))
    let session = Session(identity, definition: new.definition, updatedAt: stamp.time, state: state, hash: first.hash)
    self.init(new: session, [first], secrets, of: [new.definition], key)
  }

  /// Creates a session with all entries of an imported one.
  convenience init(_ imported: ImportedSession, _ key: SipHash.Key) {
    self.init(
      new: imported.session, imported.entries, beginning: imported.beginning, stages: imported.stages, imported.secrets,
      of: imported.definitions, place: imported.staged, key)
  }
}
