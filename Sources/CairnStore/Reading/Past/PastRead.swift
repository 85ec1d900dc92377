import CairnCore
import CairnJournal

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
    if revision == session.state.revision { return session }
    let found = try parts.past(of: session, at: revision)
    let definition: PinnedDefinition
    do {
      definition = try parts.library.definition(found.definition, in: parts.documents)
    } catch {
      throw .storage("\(error)")
    }
    return session.at(found.state, definition: definition, updatedAt: found.time, hash: found.hash)
  }
}
