import CairnCore

/// Reads a session at an earlier revision from a snapshot and the differences after it. The number of rows is bounded.
struct PastRead: SteppedRead {
  private let id: String
  private let revision: Int

  init(_ id: String, at revision: Int) {
    self.id = id
    self.revision = revision
  }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Session? {
    let session = try parts.existing(id)
    let newest = session.state.revision
    guard (1...newest).contains(revision) else { throw .unknownRevision(newest: newest) }
    guard revision < newest else { return session }
    let found: PastState?
    do {
      found = try parts.journal.past(of: id, at: revision)
    } catch {
      throw .storage("\(error)")
    }
    // The session was deleted during the read.
    guard let found else { throw .unknownSession }
    return session.at(found.state, updatedAt: found.time, hash: found.hash)
  }
}
