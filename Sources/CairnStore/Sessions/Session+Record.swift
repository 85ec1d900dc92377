import CairnCore
import CairnJournal
import CairnJournal

extension Session {
  /// The part of the session that the journal stores.
  var record: SessionRecord {
    SessionRecord(identity, definition: definition.hash, updatedAt: updatedAt, state: state, hash: hash, beginning: beginning)
  }

  var version: SessionVersion { SessionVersion(state.revision, hash: hash, beginning: beginning) }
}

extension DefinitionLibrary {
  /// Builds a session from its record. Throws `unreadable` if its definition cannot be read, or if a time in its row is out of bounds.
  func session(_ record: SessionRecord, in documents: any DocumentJournal) throws(JournalError) -> Session {
    Session(
      record.identity, definition: try definition(of: record, in: documents), updatedAt: record.updatedAt, state: record.state,
      hash: record.hash, beginning: record.beginning)
  }
}
