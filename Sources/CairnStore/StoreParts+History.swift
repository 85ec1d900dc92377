import CairnCore

// What may need the journal. The reader's thread.
extension StoreParts {
  /// Entries are read in pages of this many.
  private static let page = 512

  /// A session as it was at a revision.
  func session(_ id: String, at revision: Int) throws(StoreFault) -> Session {
    var session = try existing(id)
    let newest = session.state.revision
    guard (1...newest).contains(revision) else { throw .unknownRevision(newest: newest) }
    guard revision < newest else { return session }
    // Begins before the entry of that revision at the latest, because its time is wanted too.
    var replay = Replay(session.definition.reducer, from: replays.state(of: id, upTo: revision - 1))
    try walk(id, after: replay.state?.revision ?? 0, through: revision) { entry throws(JournalError) in
      _ = try replay.run(entry)
      session.updatedAt = entry.stamp.time
    }
    guard let state = replay.state, state.revision == revision else { throw .unknownSession }
    replays.keep(state, of: id)
    session.state = state
    return session
  }

  /// Entries after a revision with what each did, and whether there are further ones.
  func history(of id: String, after revision: Int, limit: Int) throws(StoreFault) -> (items: [HistoryItem], more: Bool) {
    let session = try existing(id)
    let newest = session.state.revision
    guard revision < newest, limit > 0 else { return ([], revision < newest) }
    let last = limit < newest - max(0, revision) ? max(0, revision) + limit : newest
    var replay = Replay(session.definition.reducer, from: replays.state(of: id, upTo: max(0, revision)))
    var items: [HistoryItem] = []
    try walk(id, after: replay.state?.revision ?? 0, through: last) { entry throws(JournalError) in
      let transition = try replay.run(entry)
      if entry.revision > revision { items.append(HistoryItem(entry: entry, transition: transition)) }
    }
    if let state = replay.state { replays.keep(state, of: id) }
    return (items, last < newest)
  }

  /// Sessions by creation, oldest first, and whether there are further ones.
  func sessions(
    app: String?, label: String?, after: String?, limit: Int
  ) throws(StoreFault) -> (sessions: [Session], more: Bool) {
    let count = max(0, min(limit, Int.max - 1))
    do {
      guard let records = try journal.sessions(SessionQuery(app: app, label: label, after: after, limit: count + 1)) else {
        throw StoreFault.unknownSession
      }
      var sessions: [Session] = []
      for record in records.prefix(count) { sessions.append(try library.session(record, in: journal)) }
      return (sessions, records.count > count)
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw .storage("\(error)")
    }
  }

  /// The newest committed session.
  func existing(_ id: String) throws(StoreFault) -> Session {
    do {
      guard let session = try committed(id) else { throw StoreFault.unknownSession }
      return session
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw .storage("\(error)")
    }
  }

  private func walk(
    _ id: String, after first: Int, through last: Int, _ visit: (Entry) throws(JournalError) -> Void
  ) throws(StoreFault) {
    do {
      var revision = first
      while revision < last {
        let page = try journal.entries(of: id, after: revision, limit: min(Self.page, last - revision))
        guard let end = page.last, end.revision > revision else { return }
        for entry in page { try visit(entry) }
        revision = end.revision
      }
    } catch {
      throw .storage("\(error)")
    }
  }
}
