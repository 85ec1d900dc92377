import CairnCore
import CairnRuntime

/// What the writer and the readers share.
struct StoreParts: Sendable {
  let journal: any Journal
  let outbound: any Outbound
  let clock: any Clock
  let limits: StoreLimits
  let library: DefinitionLibrary
  let cache: SessionCache
  let replays: ReplayCache
  let mailbox: Mailbox
  let nonce: @Sendable () -> String
  let log: @Sendable (StoreEvent) -> Void
  let figures: Lock<StoreFigures>

  /// The newest committed session; nil: there is none. Any thread.
  func committed(_ id: String) throws(JournalError) -> Session? {
    if let session = cache.session(id) { return session }
    let mark = cache.mark(id)
    guard let record = try journal.session(id) else { return nil }
    let session = try library.session(record, in: journal)
    cache.keep(session, readAt: mark)
    return session
  }
}

/// The one thread that changes anything. It is made, used and dropped on its own thread.
final class Writer {
  let parts: StoreParts
  var schedule = EffectSchedule()
  var caller: Caller
  /// The definitions that the journal has for sure.
  private var keptDefinitions: Set<String> = []
  /// The service's own messages whose commit failed, with the time to try them again.
  private var deferred: [(time: Int, message: Message)] = []
  /// When the journal is to be looked at again, while it fails.
  private var probeTime: Int?

  init(_ parts: StoreParts) {
    self.parts = parts
    caller = Caller(parts.outbound, limit: parts.limits.calls)
  }

  /// Takes up the effects of all sessions, as they were when the service ended.
  func load() throws(JournalError) {
    for id in try parts.journal.sessionsWithEffects() {
      do {
        if let record = try parts.journal.session(id) { follow(id, from: [], to: record.state) }
      } catch {
        // One session that this version cannot read does not keep the others from going on.
        guard case .unreadable(let reason) = error else { throw error }
        parts.log(.sessionUnreadable(session: id, reason: reason))
      }
    }
    let count = try parts.journal.count()
    parts.figures.withLock { $0.sessions = count }
  }

  /// Until the mailbox is closed and empty: takes all that waits, runs it, commits it once, answers.
  func run() {
    send()
    while true {
      let taken = parts.mailbox.take(until: deadline, limit: parts.limits.batch)
      var batch = Batch()
      if !taken.isLast || !taken.messages.isEmpty { runDue(in: &batch) }
      for message in taken.messages { run(message, in: &batch) }
      finish(batch)
      probe()
      send()
      if taken.isLast { break }
    }
    caller.giveUpAll()
  }

  /// The moment (`Monotonic`) at which something is due; looked at every few seconds, because a machine's clock may be set.
  private var deadline: UInt64? {
    let times = [schedule.earliest, deferred.map(\.time).min(), probeTime].compactMap { $0 }
    guard let time = times.min() else { return nil }
    let wait = min(max(0, time - parts.clock.now()), 5_000)
    return Monotonic.deadline(after: .milliseconds(wait))
  }

  private func runDue(in batch: inout Batch) {
    let now = parts.clock.now()
    let ready = deferred.filter { $0.time <= now }
    deferred.removeAll { $0.time <= now }
    for (_, message) in ready { run(message, in: &batch) }
    for task in schedule.take(at: now, limit: parts.limits.batch) {
      switch task {
      case .run(let key, let tick): run(.due(key, tick: tick), in: &batch)
      case .call(let key): caller.ask(key)
      }
    }
  }

  /// Has a message of the service's own run again after a while.
  func postpone(_ message: Message) {
    deferred.append((parts.clock.now() + parts.limits.retry, message))
  }

  private func finish(_ batch: Batch) {
    guard batch.isChanged else {
      for answer in batch.answers { answer(nil) }
      return
    }
    let write = batch.write(kept: keptDefinitions)
    if !write.isEmpty {
      do {
        try parts.journal.commit(write)
      } catch {
        return fail(batch, error)
      }
    }
    publish(batch, write)
    for answer in batch.answers { answer(nil) }
    for id in batch.order {
      guard let staged = batch[id], staged.isGone || staged.isChanged else { continue }
      follow(id, from: staged.effects, to: staged.isGone ? nil : staged.session.state)
    }
  }

  private func publish(_ batch: Batch, _ write: JournalBatch) {
    keptDefinitions.formUnion(write.definitions.keys)
    let staged = batch.order.compactMap { batch[$0] }
    let changed = staged.filter { !$0.isGone && $0.isChanged }
    let gone = staged.filter(\.isGone).map(\.session.id)
    parts.cache.publish(changed.map(\.session), removing: gone)
    for id in gone { parts.replays.forget(id) }
    let entries = write.sessions.reduce(0) { $0 + $1.entries.count }
    let born = write.sessions.count { $0.after == 0 }
    parts.figures.withLock { figures in
      if !write.isEmpty { figures.commits += 1 }
      figures.committedActions += entries
      figures.largestBatch = max(figures.largestBatch, entries)
      figures.sessions += born - write.deletions.count
    }
    recovered()
  }

  /// Nothing of the batch happened: every answer says so, and what is cached is what the journal has.
  private func fail(_ batch: Batch, _ error: JournalError) {
    if case .conflict = error { parts.cache.publish([], removing: batch.order) }
    let text = "\(error)"
    let isNew = parts.figures.withLock { figures in
      defer { figures.journalFault = text }
      return figures.journalFault != text
    }
    if isNew { parts.log(.journalFailed(error)) }
    probeTime = parts.clock.now() + parts.limits.retry
    for message in batch.internals { postpone(message) }
    for answer in batch.answers { answer(.storage(text)) }
  }

  /// While the journal fails, looks whether it works again, so that a service without traffic recovers too.
  private func probe() {
    guard let time = probeTime, time <= parts.clock.now() else { return }
    do {
      try parts.journal.probe()
      recovered()
    } catch {
      probeTime = parts.clock.now() + parts.limits.retry
    }
  }

  private func recovered() {
    guard probeTime != nil else { return }
    probeTime = nil
    parts.figures.withLock { $0.journalFault = nil }
    parts.log(.journalRecovered)
  }
}
