package import CairnCore
import CairnRuntime

/// The single owner of the truth: every command runs here, one after the other, and is answered after its commit.
/// Every `reply` comes exactly once, on the writer's, the reader's or the caller's thread.
package final class Store: Sendable {
  /// Why a store did not start.
  package enum StartError: Error {
    /// It was started before.
    case alreadyStarted
    case journal(JournalError)
    /// The machine gave no thread.
    case thread(code: Int32)
  }

  private enum Phase {
    case idle
    case running(writer: NamedThread, reader: NamedThread)
    case stopped
  }

  private let parts: StoreParts
  private let reader: Reader
  private let sampler: Sampler
  private let phase = Lock(Phase.idle)

  /// Nothing runs before `start`. `definitions` reads a canonical text (it throws what it likes; the text of the error goes to the log),
  /// `nonce` gives a fresh, unguessable word each time; both are called on the writer's and the reader's thread.
  package init(
    journal: any Journal, outbound: any Outbound, clock: any Clock = SystemClock(),
    definitions: @escaping @Sendable (String) throws -> PinnedDefinition, limits: StoreLimits = StoreLimits(),
    nonce: @escaping @Sendable () -> String, log: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) {
    var figures = StoreFigures()
    figures.queueLimit = limits.queue
    parts = StoreParts(
      journal: journal, outbound: outbound, clock: clock, limits: limits, library: DefinitionLibrary(read: definitions),
      cache: SessionCache(limit: limits.cache), mailbox: Mailbox(limit: limits.queue), nonce: nonce, log: log, figures: Lock(figures))
    reader = Reader(limit: limits.queue)
    sampler = Sampler(parts)
  }

  /// Takes up all effects of all sessions (a timer that fell due fires once, a call that was cut off runs again), then lets commands in.
  package func start() throws(StartError) {
    try phase.withLock { phase throws(StartError) in
      guard case .idle = phase else { throw .alreadyStarted }
      let (parts, reader) = (parts, reader)
      let loaded = Monitor<Result<Void, JournalError>?>(nil)
      do {
        let writerThread = try NamedThread("cairn-writer") {
          let writer = Writer(parts)
          let result = Result { () throws(JournalError) in try writer.load() }
          if case .success = result { parts.mailbox.open() }
          loaded.change { $0 = result }
          if case .success = result { writer.run() }
        }
        if case .failure(let error) = loaded.wait({ $0 }) {
          writerThread.join()
          throw StartError.journal(error)
        }
        let mailbox = parts.mailbox
        parts.clock.onJump { mailbox.nudge() }
        let readerThread = try NamedThread("cairn-reader") { reader.run() }
        try sampler.start()
        phase = .running(writer: writerThread, reader: readerThread)
      } catch let error as StartError {
        parts.mailbox.close()
        throw error
      } catch {
        parts.mailbox.close()
        guard case .refused(let code)? = error as? ThreadError else { throw .thread(code: 0) }
        throw .thread(code: code)
      }
    }
  }

  /// Refuses what comes from now on, finishes what waits, gives running calls up (they run again after a restart), closes the journal.
  /// Blocks until all that is done; not from a reply.
  package func stop() {
    phase.withLock { phase in
      guard case .running(let writerThread, let readerThread) = phase else { return }
      parts.mailbox.close()
      writerThread.join()
      reader.close()
      readerThread.join()
      sampler.stop()
      parts.journal.close()
      phase = .stopped
    }
  }

  /// Starts a session.
  package func create(_ new: NewSession, reply: @escaping @Sendable (Result<Created, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.create(new, reply)) { reply(.failure(fault)) }
  }

  /// Runs commands, all or none. `matching`: the revisions that the caller expects, nil for any; `author`: the operator who asks, by name.
  package func post(
    _ commands: [Command], to session: String, matching: [Int]? = nil, author: String? = nil,
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    let message = Message.post(commands, session: session, matching: matching, author: author, reply)
    if let fault = parts.mailbox.offer(message) { reply(.failure(fault)) }
  }

  /// Ends a session; nothing of it is left.
  package func delete(_ session: String, matching: [Int]? = nil, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.delete(session: session, matching: matching, reply)) { reply(.failure(fault)) }
  }

  /// The newest committed session. Never waits for the writer.
  package func session(_ id: String, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void) {
    if parts.journal.isExclusive, let session = parts.cache.session(id) { return reply(.success(session)) }
    read(reply) { parts throws(StoreFault) in try parts.existing(id) }
  }

  /// The session as it was at a revision.
  package func session(_ id: String, at revision: Int, reply: @escaping @Sendable (Result<Session, StoreFault>) -> Void) {
    read(reply) { parts throws(StoreFault) in try parts.session(id, at: revision) }
  }

  /// Entries after a revision, oldest first; `more` says whether there are further ones.
  package func history(
    of id: String, after revision: Int, limit: Int,
    reply: @escaping @Sendable (Result<(items: [HistoryItem], more: Bool), StoreFault>) -> Void
  ) {
    read(reply) { parts throws(StoreFault) in try parts.history(of: id, after: revision, limit: limit) }
  }

  /// Sessions by creation, oldest first, after a session id (`unknownSession` if that one is gone). Damaged ones are named apart.
  package func sessions(
    app: String?, label: String?, after: String?, limit: Int,
    reply: @escaping @Sendable (Result<SessionPage, StoreFault>) -> Void
  ) {
    read(reply) { parts throws(StoreFault) in try parts.sessions(app: app, label: label, after: after, limit: limit) }
  }

  /// What `/metrics` and `/readyz` say of it. Any thread.
  package var figures: StoreFigures {
    var figures = parts.figures.withLock { $0 }
    figures.queueDepth = parts.mailbox.depth
    figures.isAccepting = parts.mailbox.isOpen
    (figures.damagedSessions, figures.checkedSessions) = sampler.figures
    return figures
  }

  private func read<Answer>(
    _ reply: @escaping Reply<Answer>, _ find: @escaping @Sendable (StoreParts) throws(StoreFault) -> Answer
  ) {
    let parts = parts
    let fault = reader.offer { reply(Result { () throws(StoreFault) in try find(parts) }) }
    if let fault { reply(.failure(fault)) }
  }
}
