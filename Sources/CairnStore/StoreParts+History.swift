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
    (session.state, session.updatedAt) = try past(of: session, at: revision)
    return session
  }

  /// Entries after a revision with what each did, and whether there are further ones.
  func history(of id: String, after revision: Int, limit: Int) throws(StoreFault) -> (items: [HistoryItem], more: Bool) {
    let session = try existing(id)
    let (newest, first) = (session.state.revision, max(0, revision))
    guard revision < newest, limit > 0 else { return ([], revision < newest) }
    let last = limit < newest - first ? first + limit : newest
    var replay = Replay(session.definition.reducer, from: first == 0 ? nil : try past(of: session, at: first).state)
    var items: [HistoryItem] = []
    try walk(id, after: first, through: last) { entry throws(JournalError) in
      items.append(HistoryItem(entry: entry.entry, transition: try replay.run(entry)))
    }
    return (items, last < newest)
  }

  /// Sessions by creation, oldest first. One that cannot be read keeps none of the others back.
  func sessions(app: String?, label: String?, after: String?, limit: Int) throws(StoreFault) -> SessionPage {
    let count = max(0, min(limit, Int.max - 1))
    let records: [SessionRecord]
    do {
      guard let found = try journal.sessions(SessionQuery(app: app, label: label, after: after, limit: count + 1)) else {
        throw StoreFault.unknownSession
      }
      records = found
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw .storage("\(error)")
    }
    var page = SessionPage(last: records.prefix(count).last?.id, more: records.count > count)
    for record in records.prefix(count) {
      do throws(JournalError) {
        if let damage = record.damage { throw JournalError.unreadable(damage) }
        page.sessions.append(try library.session(record, in: journal))
      } catch {
        switch error {
        case .unreadable, .corrupt: page.damaged.append(record.id)
        case .busy, .full, .readOnly, .conflict, .io, .closed: throw .storage("\(error)")
        }
      }
    }
    return page
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

  /// A state that the session had, and its time.
  private func past(of session: Session, at revision: Int) throws(StoreFault) -> (state: State, time: Int) {
    let found: (state: State, time: Int)?
    do {
      found = try journal.past(of: session.id, at: revision)
    } catch {
      guard case .unreadable = error else { throw .storage("\(error)") }
      return try replayed(session, to: revision)
    }
    guard let found else { throw .unknownSession }
    return found
  }

  /// What the first version wrote, or what is damaged, is made again from all entries before it.
  private func replayed(_ session: Session, to revision: Int) throws(StoreFault) -> (state: State, time: Int) {
    var replay = Replay(session.definition.reducer)
    var time = 0
    try walk(session.id, after: 0, through: revision) { entry throws(JournalError) in
      _ = try replay.run(entry)
      time = entry.entry.stamp.time
    }
    guard let state = replay.state, state.revision == revision else { throw .unknownSession }
    return (state, time)
  }

  private func walk(
    _ id: String, after first: Int, through last: Int, _ visit: (JournalEntry) throws(JournalError) -> Void
  ) throws(StoreFault) {
    do {
      var revision = first
      while revision < last {
        let page = try journal.entries(of: id, after: revision, limit: min(Self.page, last - revision))
        guard let end = page.last?.entry.revision, end > revision else { return }
        for entry in page { try visit(entry) }
        revision = end
      }
    } catch {
      throw .storage("\(error)")
    }
  }
}
