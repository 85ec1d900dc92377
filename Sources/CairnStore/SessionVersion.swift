import CairnCore

/// The version of a session: the revision and the hash of its newest entry. After a restore from a backup, two different entries can have the same
/// revision; their hashes differ.
package struct SessionVersion: Hashable, Sendable {
  package var revision: Int
  package var hash: UInt64

  /// The version of a session that does not exist.
  package static let none = SessionVersion(0, hash: 0)

  package init(_ revision: Int, hash: UInt64) {
    self.revision = revision
    self.hash = hash
  }
}

extension SessionRecord {
  package var version: SessionVersion { SessionVersion(state.revision, hash: hash) }
}

extension Session {
  var version: SessionVersion { SessionVersion(state.revision, hash: hash) }
}
