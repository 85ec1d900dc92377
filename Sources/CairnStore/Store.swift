package import CairnCore
import CairnRuntime

/// The single owner of the truth: every command runs here, one after the other, and is answered after its commit.
/// Every `reply` comes exactly once, on the writer's, a reader's or the caller's thread.
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
    case running(writer: NamedThread)
    case stopped
  }

  let parts: StoreParts
  let readers: Readers
  private let expiry: Expiry
  private let sampler: Sampler
  private let phase = Lock(Phase.idle)

  /// Nothing runs before `start`. `definitions` reads a canonical text (the text of any error it throws goes to the log), `nonce` returns a
  /// fresh, unguessable word each time; both are called on the writer's and the readers' threads. `log` also gets the app of an event's
  /// session, if that is in memory.
  package init(
    journal: any Journal, outbound: any Outbound, clock: any Clock = SystemClock(),
    definitions: @escaping @Sendable (String) throws -> PinnedDefinition, limits: StoreLimits = StoreLimits(),
    nonce: @escaping @Sendable () -> String, log: @escaping @Sendable (StoreEvent, _ app: String?) -> Void = { _, _ in }
  ) {
    let cache = SessionCache(limit: limits.cache)
    var figures = StoreFigures()
    figures.queueLimit = limits.queue
    parts = StoreParts(
      journal: journal, hashKey: journal.hashKey, outbound: outbound, clock: clock, limits: limits,
      library: DefinitionLibrary(read: definitions),
      cache: cache, mailbox: Mailbox(limit: limits.queue), nonce: nonce,
      log: { event in log(event, event.session.flatMap { cache.session($0)?.app }) }, figures: Lock(figures),
      feed: Feed(clock))
    readers = Readers(count: limits.readers, limit: limits.queue)
    expiry = Expiry(parts, readers)
    sampler = Sampler(parts)
  }

  /// Takes up all effects of all sessions (a timer that fell due fires once, a call that was cut off runs again), then lets commands in.
  package func start() throws(StartError) {
    try phase.withLock { phase throws(StartError) in
      guard case .idle = phase else { throw .alreadyStarted }
      let parts = parts
      let loaded = Monitor<Result<Void, JournalError>?>(nil)
      // Stops the started parts; run in reverse order if a later part fails.
      var undo: [() -> Void] = []
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
        undo.append {
          parts.mailbox.close()
          writerThread.join()
        }
        // Its first threads may run when a later one is refused.
        undo.append(readers.stop)
        try readers.start()
        try parts.feed.start { [parts, readers] birth, revision, reply in parts.read(birth, behind: revision, readers, reply) }
        undo.append(parts.feed.stop)
        try expiry.start()
        undo.append(expiry.stop)
        try sampler.start()
        phase = .running(writer: writerThread)
      } catch let error as StartError {
        parts.mailbox.close()
        throw error
      } catch {
        for step in undo.reversed() { step() }
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
      guard case .running(let writerThread) = phase else { return }
      expiry.stop()
      parts.mailbox.close()
      writerThread.join()
      parts.feed.stop()
      readers.stop()
      sampler.stop()
      parts.journal.close()
      phase = .stopped
    }
  }

  /// Refuses reads of past revisions and lists from now on, also the waiting and running ones: a stop does not wait for them. Requests that
  /// need newest states continue.
  package func leave() { readers.leave() }

  /// Starts a session.
  package func create(_ new: NewSession, reply: @escaping @Sendable (Result<Created, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.create(new, reply)) { reply(.failure(fault)) }
  }

  /// Starts a session under a key; a repeat gets the first answer.
  package func create(_ creation: KeyedCreation, reply: @escaping @Sendable (Result<GivenAnswer, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.createOnce(creation, reply)) { reply(.failure(fault)) }
  }

  /// Runs commands under a key, all or none; a repeat gets the first answer, a refusal too.
  package func post(_ post: KeyedPost, reply: @escaping @Sendable (Result<GivenAnswer, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.postOnce(post, reply)) { reply(.failure(fault)) }
  }

  /// Ids derived from clients' keys are derived with these 32 bytes; they never change for a journal.
  package var derivationKey: [UInt8] { parts.journal.derivationKey }

  /// Runs commands, all or none. `matching`: the revisions that the caller expects, nil for any. `message`: what they came by; the session
  /// takes it once, and the second time it is `unchanged`.
  package func post(
    _ commands: [Command], to session: String, matching: [RevisionTag]? = nil, message: Fingerprint? = nil,
    origin: EntryOrigin = EntryOrigin(),
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    let posted = Message.post(commands, session: session, matching: matching, message: message, origin: origin, reply)
    if let fault = parts.mailbox.offer(posted) { reply(.failure(fault)) }
  }

  /// Ends a session; nothing of it is left.
  package func delete(_ session: String, matching: [RevisionTag]? = nil, reply: @escaping @Sendable (Result<Void, StoreFault>) -> Void) {
    if let fault = parts.mailbox.offer(.delete(session: session, matching: matching, reply)) { reply(.failure(fault)) }
  }

  /// The subscriptions to sessions.
  package var feed: Feed { parts.feed }

  /// The time that it stamps with.
  package var clock: any Clock { parts.clock }

  /// The figures for `/metrics` and `/readyz`. Any thread.
  package var figures: StoreFigures {
    var figures = parts.figures.withLock { $0 }
    figures.queueDepth = parts.mailbox.depth
    figures.isAccepting = parts.mailbox.isOpen
    let reads = readers.figures
    (figures.readDepths, figures.readWaits, figures.readsDropped) = (reads.depths, reads.waits, reads.dropped)
    figures.cacheBytes = parts.cache.weight
    figures.effectsLate = figures.nextDue.map { max(0, parts.clock.now() - $0) } ?? 0
    (figures.damaged, figures.checked) = (parts.damaged.count, sampler.checked)
    figures.journal = parts.journal.figures
    return figures
  }
}
