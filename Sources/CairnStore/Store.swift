package import CairnCore
import CairnRuntime
import CairnCrypto
package import CairnJournal

/// The store of all sessions. Commands run one after the other, and replies are sent after the commit. Every `reply` is called exactly once, on the
/// writer's thread, a reader's thread or the caller's thread.
package final class Store: Sendable {
  /// The reason why a store did not start.
  package enum StartError: Error {
    /// The store has been started before.
    case alreadyStarted
    case journal(JournalError)
    /// The system refused to create a thread.
    case thread(code: Int32)
  }

  private enum Phase {
    case idle
    case running(writer: NamedThread)
    case stopped
  }

  let parts: StoreParts
  let readers: Readers
  /// The releases of apps: definitions, migrations and rollouts.
  package let releases: ReleaseStore
  private let expiry: Expiry
  private let sampler: Sampler
  private let historyKeeper: HistoryKeeper
  private let rolloutRunner: RolloutRunner
  /// The reader of other nodes' changes; `nil` if the journal is not shared.
  private let changes: ChangeReader?
  private let phase = Lock(Phase.idle)

  /// Creates a store, which is idle until `start`. `definitions` parses a canonical text; the text of an error that it throws is logged.
  /// `nonce` returns a new unguessable text at each call. `migrations` compiles a migration document, and `environment` returns the values
  /// of the environment variables that a definition names. These functions are called on the writer's and the readers' threads. `log` also
  /// receives the app of the event's session; `nil` if the event has no session, or if the session is not in memory.
  package init(
    journal: any Journal, outbound: any Outbound, clock: any Clock = SystemClock(),
    definitions: @escaping @Sendable (String) throws -> PinnedDefinition,
    migrations: @escaping @Sendable (_ document: String, _ from: PinnedDefinition, _ to: PinnedDefinition) throws -> Migrator = { _, _, _ in
      throw JournalError.unreadable("this store does not support migrations")
    }, environment: @escaping @Sendable (Definition) -> [String: String] = { _ in [:] }, limits: StoreLimits = StoreLimits(),
    nonce: @escaping @Sendable () -> String, log: @escaping @Sendable (StoreEvent, _ app: String?) -> Void = { _, _ in }
  ) {
    let cache = SessionCache(limit: limits.cache)
    let library = DefinitionLibrary(read: definitions)
    var figures = StoreFigures()
    figures.queueLimit = limits.queue
    let report: @Sendable (StoreEvent) -> Void = { event in log(event, event.session.flatMap { cache.session($0)?.app }) }
    let counts = Lock(figures)
    let losses = KnownLosses(clock, counts, report)
    let committed = CommittedSessions(cache: cache, library: library, journal: journal)
    let isShared = journal.cluster.isShared
    let nodes: any NodeSessions = isShared ? SharedSessions(committed, losses) : OwnSessions(committed: committed)
    parts = StoreParts(
      journal: journal, hashKey: journal.hashKey, proofs: ProofKeys(key: journal.derivationKey),
      sealing: SealingKeys(key: journal.derivationKey), outbound: outbound, clock: clock, limits: limits,
      library: library, migrations: MigrationLibrary(library, read: migrations), environment: environment,
      cache: cache, committed: committed, nodes: nodes, mailbox: Mailbox(limit: limits.queue), nonce: nonce,
      log: report, figures: counts, faults: BackgroundFaults(expecting: StoreFault.isExpectedInBackground, report),
      feed: Feed(clock, isShared: isShared), losses: losses)
    readers = Readers(count: limits.readers, limit: limits.queue)
    expiry = Expiry(parts, readers)
    sampler = Sampler(parts)
    historyKeeper = HistoryKeeper(parts)
    rolloutRunner = RolloutRunner(parts)
    releases = ReleaseStore(parts: parts, readers: readers, rolloutRunner: rolloutRunner)
    changes = isShared ? ChangeReader(parts) : nil
  }

  /// Claims and schedules the unfinished effects of all sessions, then accepts commands. Overdue timers fire once, and interrupted calls are repeated.
  package func start() throws(StartError) {
    try phase.withLock { phase throws(StartError) in
      guard case .idle = phase else { throw .alreadyStarted }
      let parts = parts
      let loaded = Monitor<Result<Void, JournalError>?>(nil)
      // If a part fails to start, the parts that have been started are stopped in reverse order.
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
        // Some threads of the readers may have started before the start of a later one failed.
        undo.append(readers.stop)
        try readers.start()
        try parts.feed.start(reading: parts.feedSource(readers), noteLoss: parts.losses.note)
        undo.append(parts.feed.stop)
        try expiry.start()
        undo.append(expiry.stop)
        try sampler.start()
        undo.append(sampler.stop)
        try historyKeeper.start()
        undo.append(historyKeeper.stop)
        try rolloutRunner.start()
        undo.append(rolloutRunner.stop)
        if let changes {
          try changes.start()
          undo.append(changes.stop)
        }
        try parts.nodes.start()
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

  /// Rejects new commands, finishes waiting commands, and closes the journal. Running calls are cancelled, and repeated after a restart.
  /// Blocks until all this is done. Must not be called from a reply.
  package func stop() {
    phase.withLock { phase in
      guard case .running(let writerThread) = phase else { return }
      expiry.stop()
      historyKeeper.stop()
      rolloutRunner.stop()
      changes?.stop()
      parts.nodes.stop()
      parts.mailbox.close()
      writerThread.join()
      parts.feed.stop()
      readers.stop()
      sampler.stop()
      parts.journal.close()
      phase = .stopped
    }
  }

  /// Refuses new reads of past revisions and lists, and ends the waiting and running ones, so that a stop does not wait for them. Requests
  /// that need only the newest states continue.
  package func leave() { readers.leave() }

  /// Creates a session. Replies with the session, and with the result of the link or notification that started the app.
  package func create(_ new: NewSession, reply: @escaping @Sendable (Result<Created, StoreFault>) -> Void) {
    parts.mailbox.send(
      RequestJob(new.id, isNew: true, imports.tidying(new, reply)) { writer, batch throws(StoreFault) in try writer.create(new, in: &batch)
      })
  }

  /// Creates a session under an idempotency key. A repetition receives the first response.
  package func create(_ creation: KeyedCreation, reply: @escaping @Sendable (Result<GivenAnswer, StoreFault>) -> Void) {
    parts.mailbox.send(
      RequestJob(creation.new.id, isNew: true, imports.tidying(creation.new, reply)) { writer, batch throws(StoreFault) in
        try writer.create(creation, in: &batch)
      })
  }

  /// Runs a post under an idempotency key. A repetition receives the first response, even if that was a refusal. A repetition does not
  /// check the expected revisions.
  package func post(_ post: Post, once: Once, reply: @escaping @Sendable (Result<GivenAnswer, StoreFault>) -> Void) {
    parts.mailbox.send(PostJob(post, once, reply))
  }

  /// Runs each numbered action separately, and each number only once. Replies with one response for each action.
  package func post(_ post: NumberedPost, reply: @escaping @Sendable (Result<NumberedAnswers, StoreFault>) -> Void) {
    var post = post
    if let current = parts.nodes.current(post.session), !post.isLookedUp(in: current.state) {
      post.covers = SeenCovers(state: current.state, time: current.updatedAt)
      return parts.mailbox.send(NumberedJob(post, reply))
    }
    // A reader's thread searches the history, because a search on the writer's thread would delay all sessions.
    let read = SingleRead { [post] parts throws(StoreFault) in try parts.lookedUp(post) }
    let fault = readers.offer(read, .past, post.session, parts) { (result: Result<NumberedPost, StoreFault>) in
      switch result {
      case .failure(let fault): reply(.failure(fault))
      case .success(let post): self.parts.mailbox.send(NumberedJob(post, reply))
      }
    }
    if let fault { reply(.failure(fault)) }
  }

  /// The 32 bytes from which the ids of sessions and the fingerprints of requests are derived (`Journal.derivationKey`). They never change
  /// for a journal.
  package var derivationKey: [UInt8] { parts.journal.derivationKey }

  /// The public key for which clients seal the values of secret params now, in base64url.
  package var sealingKey: String { parts.sealing.publicKey(at: parts.clock.now()) }

  /// Runs all commands, or none if one is refused. `made` is the definition for which the client made the commands; `nil` means the
  /// session's definition. `matching` contains the expected revisions; `nil` accepts any. `message` is the fingerprint of the message that
  /// caused the commands; `nil` if no message did. A session processes a message once, and the result of a repetition is `unchanged`.
  package func post(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, to session: String, matching: [RevisionTag]? = nil,
    message: Fingerprint? = nil,
    origin: EntryOrigin = EntryOrigin(),
    reply: @escaping @Sendable (Result<Posted, StoreFault>) -> Void
  ) {
    let post = Post(.commands(commands, madeFor: made, message: message), to: session, matching: matching, origin: origin)
    parts.mailbox.send(PostJob(post, reply))
  }

  /// Whether other nodes write to the journal.
  package var isShared: Bool { parts.cluster.isShared }

  /// The feed, which notifies subscribers of commits.
  package var feed: Feed { parts.feed }

  /// The clock for timestamps.
  package var clock: any Clock { parts.clock }

  /// Statistics for `/metrics` and `/readyz`. Can be called on any thread.
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
    figures.backgroundFaults = parts.faults.counts.merging(figures.journal.backgroundFaults) { $0 + $1 }
    return figures
  }
}
