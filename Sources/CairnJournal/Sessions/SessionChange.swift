/// A session that a node has changed or deleted.
package struct SessionChange: Hashable, Sendable {
  package var session: String
  /// The revision after the change; `nil` if the session was deleted.
  package var revision: Int?
  /// The revision before the change; 0 for a new or deleted session.
  package var before: Int
  /// Whether this node has made the change.
  package var isOwn: Bool
  /// The tag of the newest entry; its mark is `nil` if the hash is unknown. `nil` if the session was deleted.
  package var tag: RevisionTag? { version?.tag ?? revision.map { RevisionTag($0) } }
  /// The newest version, if it was read for this change; otherwise `nil`.
  private var version: SessionVersion?

  /// Creates a change for a session that may have changed. `version` is its newest version; `nil` if the session does not exist.
  package init(_ session: String, version: SessionVersion?) {
    self.init(session, revision: version?.revision)
    self.version = version
  }

  package init(_ session: String, revision: Int?, before: Int = 0, isOwn: Bool = false) {
    self.session = session
    self.revision = revision
    self.before = before
    self.isOwn = isOwn
  }
}

/// The place up to which a node has read the changes of all nodes. Only the journal that returned it can interpret it.
package struct ChangeCursor: Hashable, Sendable {
  /// For each run of a node: the number of the last commit of this run that was read.
  package var numbers: [Int: Int]
  /// Identifies the database server that was read. A different server may have taken over without the newest commits.
  package var server: Int

  package init(numbers: [Int: Int] = [:], server: Int = 0) {
    self.numbers = numbers
    self.server = server
  }
}

/// A page of changes.
package struct SessionChanges: Hashable, Sendable {
  package var changes: [SessionChange]
  /// The cursor for the next call of `ClusterJournal.changes(after:)`.
  package var cursor: ChangeCursor
  /// Whether changes before this page are missing, because they were deleted before they were read, or because this page is the first that
  /// the node reads.
  package var isLacking: Bool
  /// Whether the reply came from another server than the one that returned the cursor. If so, every session may have lost its newest
  /// entries.
  package var isOtherServer = false
  /// Whether the next call may return more changes without waiting.
  package var hasMore = false

  package init(_ changes: [SessionChange], cursor: ChangeCursor, isLacking: Bool = false) {
    self.changes = changes
    self.cursor = cursor
    self.isLacking = isLacking
  }
}
