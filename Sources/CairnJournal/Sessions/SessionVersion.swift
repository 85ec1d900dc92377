import CairnCore

/// The version of a session: the revision and the hash of its newest entry, and the beginning of its journal. After a restore from a backup, two
/// different entries can have the same revision; their hashes differ.
package struct SessionVersion: Hashable, Sendable {
  package var revision: Int
  package var hash: UInt64
  /// The revision with which the session's journal begins if earlier entries were forgotten; otherwise 0.
  package var beginning: Int

  /// The version of a session that does not exist.
  package static let none = SessionVersion(0, hash: 0)

  package init(_ revision: Int, hash: UInt64, beginning: Int = 0) {
    self.revision = revision
    self.hash = hash
    self.beginning = beginning
  }

  /// The tag of the newest entry.
  package var tag: RevisionTag { RevisionTag(revision, hash: hash) }

  /// Whether a journal with this version has lost the entry of an `earlier` version.
  package func lacks(_ earlier: SessionVersion) -> Bool {
    revision < earlier.revision || revision == earlier.revision && hash != earlier.hash
  }
}

extension SessionRecord {
  package var version: SessionVersion { SessionVersion(state.revision, hash: hash, beginning: beginning) }
}
