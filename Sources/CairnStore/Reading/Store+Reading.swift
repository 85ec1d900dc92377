import CairnCore
package import CairnJournal
import CairnRuntime

// Reads of the store. They never wait for the writer.
extension Store {
  /// Replies with the newest committed session, or with `unknownSession` if it does not exist.
  package func session(_ id: String, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void) {
    if let session = parts.nodes.current(id) { return reply(.success(session)) }
    read(SingleRead { parts throws(StoreFault) in try parts.existing(id) }, .state, id, { true }, reply)
  }

  /// Replies with the newest committed session if `opens` accepts the hash of its secret. The reply is `unknownSession` both for an unknown
  /// session and for a wrong secret. Both cases take the same path: the hash is read from the journal even if the session is in memory, and
  /// `opens` receives a hash of zeros if the session does not exist.
  package func session(
    _ id: String, opens: @escaping @Sendable ([UInt8]) -> Bool, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void
  ) {
    if let session = cached(id, opens: opens) { return reply(.success(session)) }
    let isAsked = parts.nodes.confirm(id, opens: opens) { [self] result in
      switch result {
      case .success(let newest?): reply(.success(newest))
      case .success(nil): find(id, opens, reply)
      case .failure(let fault): reply(.failure(fault))
      }
    }
    if !isAsked { find(id, opens, reply) }
  }

  /// Replies with a session from the journal if `opens` accepts the hash of its secret, otherwise with `unknownSession`.
  private func find(
    _ id: String, _ opens: @escaping @Sendable ([UInt8]) -> Bool, _ reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void
  ) {
    read(
      SingleRead { parts throws(StoreFault) in
        do {
          guard let session = try parts.nodes.newest(id, opens: { opens($0 ?? Self.nobody) }) else { throw StoreFault.unknownSession }
          return session
        } catch let fault as StoreFault {
          throw fault
        } catch {
          throw .storage("\(error)")
        }
      }, .state, id, { true }, reply)
  }

  /// A session for a request that the writer runs, if it is in memory and `opens` accepts the hash of its secret; otherwise `nil`. Another node may have
  /// changed the session since; the commit detects that.
  package func cachedToWrite(_ id: String, opens: ([UInt8]) -> Bool) -> Session? {
    let known = parts.cache.session(id)
    return opens(known?.secretHash ?? Self.nobody) ? known : nil
  }

  /// The newest committed session if it is in memory and `opens` accepts the hash of its secret; otherwise `nil`. `opens` is called in any case; it receives a
  /// hash of zeros if the session is not in memory.
  package func cached(_ id: String, opens: ([UInt8]) -> Bool) -> Session? {
    let known = parts.nodes.current(id)
    return opens(known?.secretHash ?? Self.nobody) ? known : nil
  }

  /// The hash that stands for a session that is not found. No secret has this hash.
  private static let nobody = [UInt8](repeating: 0, count: 32)

  /// Replies with the session at an earlier revision. `isWanted` returns whether the caller still waits; it is called on any thread.
  package func session(
    _ id: String, at revision: Int, while isWanted: @escaping @Sendable () -> Bool = { true },
    reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void
  ) {
    read(PastRead(id, at: revision), .past, id, isWanted, reply)
  }

  /// Replies with the tag of the entry that created a revision; with `nil` if the session has not reached this revision, or has forgotten
  /// it. Reads a bounded number of rows.
  package func tag(of id: String, at revision: Int, reply: @escaping @Sendable (Result<RevisionTag?, StoreFault>) -> Void) {
    let work = SingleRead { parts throws(StoreFault) in
      do throws(JournalError) {
        let entry = try parts.history.entries(of: id, after: revision - 1, limit: 1).first
        return entry.map { RevisionTag($0.entry.revision, hash: $0.hash) }
      } catch {
        guard case .forgotten(let first) = error else { throw .storage("\(error)") }
        // The entry of the first revision is forgotten, but its hash is stored.
        guard first == revision else { return nil }
        return RevisionTag(revision, hash: try parts.past(of: parts.existing(id), at: revision).hash)
      }
    }
    read(work, .past, id, { true }, reply)
  }

  /// Replies with the entries after a revision, oldest first. Without a revision, the page begins with the first entry that is not
  /// forgotten. `show` converts an entry and returns its size; the page ends when it has `bytes` bytes. `show` and `isWanted` are called on
  /// any thread. With a `period`, the page contains only the entries in it, and may be empty although more follow.
  package func history<Item: Sendable>(
    of id: String, after revision: Int?, in period: HistoryPeriod? = nil, limit: Int, bytes: Int = .max,
    while isWanted: @escaping @Sendable () -> Bool = { true },
    as show: @escaping @Sendable (HistoryItem) throws(StoreFault) -> (item: Item, bytes: Int),
    reply: @escaping @Sendable (Result<HistoryPage<Item>, StoreFault>) -> Void
  ) {
    read(HistoryRead(id, after: revision, in: period, limit: limit, bytes: bytes, as: show), .past, id, isWanted, reply)
  }

  /// Replies with a page of sessions in the order of creation. `show` converts a session and returns its size; the page ends when it has `bytes` bytes. The
  /// reply is `unknownSession` if the query continues after a session that no longer exists.
  package func sessions<Item: Sendable>(
    _ query: SessionQuery, bytes: Int = .max, while isWanted: @escaping @Sendable () -> Bool = { true },
    as show: @escaping @Sendable (Session) throws(StoreFault) -> (item: Item, bytes: Int),
    reply: @escaping @Sendable (Result<SessionList<Item>, StoreFault>) -> Void
  ) {
    read(ListRead(query, bytes: bytes, as: show), .list, "list", isWanted, reply)
  }

  /// The sessions that are known to be unreadable. A caller that finds another unreadable session adds it. Thread-safe.
  package var damaged: DamagedSessions { parts.damaged }

  private func read<Work: SteppedRead>(
    _ work: Work, _ lane: Read.Lane, _ key: String, _ isWanted: @escaping @Sendable () -> Bool, _ reply: @escaping Reply<Work.Answer>
  ) {
    if let fault = readers.offer(work, lane, key, parts, while: isWanted, reply) { reply(.failure(fault)) }
  }
}

extension Readers {
  /// Queues a read that runs in several steps. Returns a fault if the queue is full or closed.
  func offer<Work: SteppedRead>(
    _ work: Work, _ lane: Read.Lane, _ key: String, _ parts: StoreParts, while isWanted: @escaping @Sendable () -> Bool = { true },
    _ reply: @escaping Reply<Work.Answer>
  ) -> StoreFault? {
    let work = Lock(work)
    return offer(
      Read(
        lane: lane, key: key, isWanted: isWanted,
        step: {
          do throws(StoreFault) {
            guard let answer = try work.withLock({ work throws(StoreFault) in try work.step(parts) }) else { return false }
            reply(.success(answer))
          } catch {
            reply(.failure(error))
          }
          return true
        }, refuse: { reply(.failure($0)) }))
  }
}
