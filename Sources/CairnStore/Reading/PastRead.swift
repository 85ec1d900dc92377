import CairnCore

/// A session as it was at a revision: what is stored beside it and the differences since, a bounded number of rows. What the first version
/// wrote, or what is damaged, is made again from all entries before it, some in each step.
struct PastRead: SteppedRead {
  private let id: String
  private let revision: Int
  private var session: Session?
  private var replay: Replay?
  private var time = 0

  /// Entries that are run again in a step. Of the first version's the chain is walked from its end each time, so they are many.
  private static let page = 16_384

  init(_ id: String, at revision: Int) {
    self.id = id
    self.revision = revision
  }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Session? {
    guard let session else { return try begin(parts) }
    guard let replay = try goOn(session, parts) else { return nil }
    guard let state = replay.state, state.revision == revision else { throw .unknownSession }
    return with(state, time)
  }

  private mutating func begin(_ parts: StoreParts) throws(StoreFault) -> Session? {
    let newest = try parts.existing(id)
    session = newest
    guard (1...newest.state.revision).contains(revision) else { throw .unknownRevision(newest: newest.state.revision) }
    guard revision < newest.state.revision else { return newest }
    let found: (state: State, time: Int)?
    do {
      found = try parts.journal.past(of: id, at: revision)
    } catch {
      guard case .unreadable = error else { throw .storage("\(error)") }
      return nil
    }
    // None: it is gone by now.
    guard let found else { throw .unknownSession }
    return with(found.state, found.time)
  }

  /// nil: there is more to do.
  private mutating func goOn(_ session: Session, _ parts: StoreParts) throws(StoreFault) -> Replay? {
    do {
      var replay = replay ?? Replay(session.definition.reducer)
      let before = replay.state?.revision ?? 0
      for entry in try parts.journal.entries(of: id, after: before, limit: min(Self.page, revision - before)) {
        _ = try replay.run(entry)
        time = entry.entry.stamp.time
      }
      self.replay = replay
      let reached = replay.state?.revision ?? 0
      return reached >= revision || reached == before ? replay : nil
    } catch {
      throw .storage("\(error)")
    }
  }

  private func with(_ state: State, _ time: Int) -> Session? {
    var session = session
    session?.state = state
    session?.updatedAt = time
    return session
  }
}
