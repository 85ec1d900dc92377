import CairnCore
package import CairnJournal

/// A copy of a session under another id, divided as an import stores it.
package struct StagedCopy {
  /// The parts to stage, and the write that creates the session from them.
  package let parts: [StagedEntries]
  package let write: SessionWrite

  /// Each part has `stride` entries. The write has the remaining ones.
  package init(of id: String, as copy: String, in journal: any Journal, every stride: Int) throws {
    guard let record = try journal.sessions.session(id) else { throw NeverCame() }
    let identity = SessionIdentity(id: copy, app: record.app, label: "copied", createdAt: record.createdAt, secretHash: [4, 5, 6])
    let key = journal.hashKey
    var hash = identity.hash(key)
    let entries = try journal.history.entries(of: id, after: 0, limit: .max).map { old in
      func with(_ hash: UInt64) -> JournalEntry {
        JournalEntry(
          old.entry, engine: old.engine, format: old.format, cause: old.cause, difference: old.difference, due: old.due,
          definition: old.definition, label: old.entry.revision == 1 ? "copied" : nil, hash: hash)
      }
      hash = with(0).hash(after: hash, key)
      return with(hash)
    }
    func stage(_ last: JournalEntry) throws -> SessionRecord {
      guard let past = try journal.history.past(of: id, at: last.entry.revision) else { throw NeverCame() }
      return SessionRecord(identity, definition: past.definition, updatedAt: past.time, state: past.state, hash: last.hash)
    }
    var (parts, rest): ([StagedEntries], ArraySlice<JournalEntry>) = ([], entries[...])
    while rest.count > stride, let last = rest.prefix(stride).last {
      parts.append(StagedEntries(Array(rest.prefix(stride)), stages: [try stage(last)]))
      rest = rest.dropFirst(stride)
    }
    self.parts = parts
    write = SessionWrite(
      SessionRecord(identity, definition: record.definition, updatedAt: record.updatedAt, state: record.state, hash: hash), after: 0,
      entries: Array(rest))
  }

  /// Stages the parts. Returns the place at which they are staged.
  package func stage(in journal: any Journal) throws -> Int {
    var place: Int?
    for part in parts { place = try journal.writer.stage(part, at: place) }
    guard let place else { throw NeverCame() }
    return place
  }

  /// The write that follows the parts staged at a place.
  package func write(behind place: Int) -> SessionWrite {
    var write = write
    write.staged = place
    return write
  }
}
