import CairnCore
import CairnJournal
import CairnRuntime

// Helper functions for reads, called on a reader's thread.
extension StoreParts {
  /// The newest committed session. Throws `unknownSession` if it does not exist.
  func existing(_ id: String) throws(StoreFault) -> Session {
    do {
      guard let session = try nodes.newest(id) else { throw StoreFault.unknownSession }
      return session
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw .storage("\(error)")
    }
  }

  /// The revision with which a session's journal begins if earlier entries were forgotten; otherwise 0.
  func beginning(of id: String) throws(StoreFault) -> Int {
    do {
      return try history.beginning(of: id)?.revision ?? 0
    } catch {
      throw .storage("\(error)")
    }
  }

  /// The state of a session at a revision. Throws `unknownRevision` if the session has not reached the revision, and `historyGone` if the
  /// revision is forgotten.
  func past(of session: Session, at revision: Int) throws(StoreFault) -> PastState {
    let newest = session.state.revision
    guard (1...newest).contains(revision) else { throw .unknownRevision(newest: newest) }
    do {
      if let past = try history.past(of: session.id, at: revision) { return past }
    } catch {
      throw StoreFault.reading(error)
    }
    // The session was deleted during the read.
    throw .unknownSession
  }

  /// A page of the ids of the sessions that match a query. Throws `unknownSession` if the query continues after a session that does not
  /// exist.
  func page(_ query: SessionQuery) throws(StoreFault) -> SessionPage {
    let found: SessionPage?
    do {
      found = try sessions.page(query)
    } catch {
      throw .storage("\(error)")
    }
    guard let found else { throw .unknownSession }
    return found
  }

  /// The functions by which the feed reads the journal.
  func feedSource(_ readers: Readers) -> Feed.Source {
    Feed.Source(
      page: { identity, revision, reply in read(identity, behind: revision, readers, reply) },
      session: { id, reply in
        let work = SingleRead { parts throws(StoreFault) in try parts.existing(id) }
        if let fault = readers.offer(work, .state, id, self, reply) { reply(.failure(fault)) }
      })
  }

  /// Reads a page of a session's history, for subscribers that missed its events.
  private func read(
    _ identity: SessionIdentity, behind revision: Int, _ readers: Readers, _ reply: @escaping Reply<HistoryPage<Occurrence>>
  ) {
    let last = Lock<HistoryItem?>(nil)
    let work = HistoryRead(identity.id, after: revision, limit: 128, bytes: 1 << 20) { item in
      last.withLock { $0 = item }
      let occurrence = Occurrence(identity, item)
      return (occurrence, occurrence.weight)
    }
    let answer = { @Sendable (result: Result<HistoryPage<Occurrence>, StoreFault>) in
      if case .success(let page) = result, !page.more, let item = last.withLock({ $0 }) { page.items.last?.setBasis(.replayed(item)) }
      reply(result)
    }
    if let fault = readers.offer(work, .past, identity.id, self, answer) { reply(.failure(fault)) }
  }

  enum Lookup {
    case found(Session)
    case gone
    case damaged
  }

  /// Reads the newest committed session without adding it to the cache. Adds a damaged session to `damaged`. Throws `storage` for any other error.
  func lookup(_ id: String) throws(StoreFault) -> Lookup {
    if let session = nodes.current(id) { return .found(session) }
    do {
      guard let record = try sessions.session(id) else { return .gone }
      return .found(try library.session(record, in: documents))
    } catch {
      guard error.isDamage else { throw .storage("\(error)") }
      if damaged.mark(id, reason: "\(error)") { log(.sessionDamaged(session: id, reason: "\(error)")) }
      return .damaged
    }
  }
}

extension JournalError {
  /// Whether damaged or unreadable data caused the error, so that other sessions may still be readable.
  var isDamage: Bool {
    switch self {
    case .unreadable, .corrupt: true
    case .busy, .full, .readOnly, .conflict, .outdated, .tooLarge, .forgotten, .io, .uncertain, .closed: false
    }
  }
}
