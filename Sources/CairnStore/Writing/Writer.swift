import CairnCore
import CairnJournal
import CairnRuntime

/// The only object that changes sessions. It is created, used and released on one thread.
final class Writer {
  let parts: StoreParts
  let effects: EffectRunner
  let answers: AnswerKeeper
  var lanes: Lanes
  /// The hashes of the definitions that are known to be in the journal.
  private var keptDefinitions: Set<String> = []
  private let deferred: DeferredJobs
  private let health: JournalHealth
  /// The due time of the next effect as last published in the statistics, in milliseconds since 1970; `nil` if no effect is planned.
  private var publishedDue: Int?
  /// Requests whose commit conflicted with a commit of another node.
  private(set) var reruns = Reruns()
  let nodes: any NodeSessions

  init(_ parts: StoreParts) {
    self.parts = parts
    nodes = parts.nodes
    health = JournalHealth(parts)
    deferred = DeferredJobs(parts)
    effects = EffectRunner(parts, deferred)
    answers = AnswerKeeper(parts)
    lanes = Lanes(limit: parts.limits.queue)
  }

  /// Claims and schedules the effects that were not finished when the service stopped, and counts the sessions. The state of a session is
  /// read only when one of its effects is due.
  func load() throws(JournalError) {
    try effects.claim()
    let count = try parts.sessions.count()
    parts.figures.withLock { $0.sessions = count }
    if let fault = parts.journal.startFault { health.begin(with: fault) }
  }

  /// Runs jobs until the mailbox is closed and empty. Each round takes the waiting jobs, runs them, commits once, and sends the results.
  func run() {
    effects.send()
    var batch = Batch()
    while true {
      let taken = parts.mailbox.take(until: lanes.isEmpty && reruns.isEmpty ? deadline : Monotonic.now(), limit: parts.limits.batch)
      nodes.prepare(for: taken.jobs)
      if !taken.isLast || !taken.jobs.isEmpty { runDue(in: &batch) }
      for job in taken.jobs {
        guard let job = lanes.quick(job) else { continue }
        runInOrder(job, in: &batch)
      }
      runSlow(in: &batch, isLast: taken.isLast)
      finish(batch)
      batch.empty()
      if taken.isLast { rerunAll(in: &batch) }
      health.probe()
      effects.send()
      updateFigures()
      if taken.isLast { break }
    }
    effects.caller.giveUpAll()
  }

  /// The `Monotonic` time at which work is due, at most five seconds ahead, because the machine's clock may be set; `nil` if no work is planned.
  private var deadline: UInt64? {
    let times = [effects.schedule.earliest, deferred.earliest, health.probeTime, effects.claimTime, answers.forgetTime].compactMap { $0 }
    guard let time = times.min() else { return nil }
    let wait = min(max(0, time.subtractingSaturated(parts.clock.now())), 5_000)
    return Monotonic.deadline(after: .milliseconds(wait))
  }

  private func runDue(in batch: inout Batch) {
    let now = parts.clock.now()
    if let time = effects.claimTime, time <= now { effects.lookAtOtherNodes() }
    if let time = answers.forgetTime, time <= now { answers.forgetExpired(at: now) }
    for job in deferred.take(at: now) { runInOrder(job, in: &batch) }
    rerun(in: &batch)
    // Sessions that were just read may have effects that are due already, so the schedule is queried repeatedly.
    var room = parts.limits.batch
    while room > 0 {
      let tasks = effects.schedule.take(at: now, limit: min(room, 128))
      guard !tasks.isEmpty else { break }
      room -= tasks.count
      for task in tasks {
        switch task {
        case .wake(let session): effects.wake(session)
        case .run(let key, let tick): runInOrder(EffectJob(key, .due(tick: tick)), in: &batch)
        case .call(let key): effects.ask(key)
        }
      }
    }
  }

  /// Runs long requests for a limited time per batch, which bounds the delay of quick requests. During a stop, long requests are refused,
  /// because none of them has begun.
  private func runSlow(in batch: inout Batch, isLast: Bool) {
    guard !lanes.isEmpty else { return }
    let end = Monotonic.deadline(after: Lanes.share)
    while let job = lanes.slow() {
      guard !isLast else {
        job.refuse(.stopping)
        continue
      }
      runInOrder(job, in: &batch)
      if Monotonic.now() >= end { break }
    }
  }

  /// Runs a job, or lets it wait behind requests of its session that run again.
  private func runInOrder(_ job: any Job, in batch: inout Batch) {
    if !reruns.isEmpty, let session = job.session, reruns.hasWaiting(session) { return reruns.add(job, behind: session) }
    job.run(on: self, in: &batch)
  }

  /// Runs the requests whose commit conflicted.
  private func rerun(in batch: inout Batch) {
    let due = reruns.take()
    if !due.isEmpty { nodes.prepare(due.map(\.session)) }
    for due in due {
      parts.figures.withLock { $0.reruns += due.jobs.count }
      if due.isHeld { rerunHeld(due) } else { for job in due.jobs { job.run(on: self, in: &batch) } }
    }
  }

  /// Runs all waiting requests during the stop. Each round either commits a request or is one of its last attempts, so the number of rounds is small.
  private func rerunAll(in batch: inout Batch) {
    while !reruns.isEmpty {
      rerun(in: &batch)
      finish(batch)
      batch.empty()
    }
  }

  /// Runs requests in a separate batch while the session is held, so that no other node can change it. Rejects the requests if this fails
  /// too.
  private func rerunHeld(_ due: Reruns.Due) {
    do {
      try parts.journal.writer.holding(due.session) {
        // Another node may have changed the session before it was held.
        nodes.prepare([due.session])
        var batch = Batch()
        for job in due.jobs { job.run(on: self, in: &batch) }
        finish(batch, isHeld: true)
      }
    } catch {
      giveUp(due.jobs)
    }
  }

  /// Rejects requests that conflicted too often. The service's own jobs are repeated later.
  private func giveUp(_ jobs: [any Job]) {
    parts.figures.withLock { $0.contended += jobs.count { $0.isExternal } }
    for job in jobs {
      if job.isExternal { job.refuse(.contended) } else { deferred.add(job) }
    }
  }

  /// Commits a batch and sends its results. `isHeld` is set if the batch contains one session that is held, so that no other node can
  /// change it.
  private func finish(_ batch: Batch, isHeld: Bool = false) {
    defer { if !isHeld { reruns.endBatch() } }
    guard let write = nodes.write(batch, kept: keptDefinitions, at: parts.clock) else { return batch.answerAll { _ in nil } }
    var faults: [String: JournalError] = [:]
    var duration: UInt64?
    if !write.isEmpty {
      let start = Monotonic.now()
      do {
        faults = try parts.journal.writer.commit(write)
        if write.isChange { duration = Monotonic.now() - start }
      } catch {
        return fail(batch, error)
      }
    }
    let conflicts = faults.isEmpty ? [] : nodes.conflicts(in: faults)
    if !faults.isEmpty { drop(faults.filter { !conflicts.contains($0.key) }, of: batch) }
    publish(batch, write, without: faults, after: duration)
    if !conflicts.isEmpty { runAgain(conflicts, of: batch, isHeld: isHeld) }
    batch.answerAll(but: conflicts) { session in faults.isEmpty ? nil : faults[session].map(StoreFault.init) }
    for staged in batch.staged where (staged.isGone || staged.isChanged) && (faults.isEmpty || faults[staged.session.id] == nil) {
      effects.follow(staged.session, from: staged.effects, isGone: staged.isGone)
    }
    parts.feed.send(
      batch.staged.lazy.filter { staged in
        (staged.isGone ? staged.base > 0 : staged.changesReads) && (faults.isEmpty || faults[staged.session.id] == nil)
      })
  }

  /// Queues the requests of sessions that another node has changed.
  private func runAgain(_ conflicts: Set<String>, of batch: Batch, isHeld: Bool) {
    parts.figures.withLock { $0.conflicts += conflicts.count }
    // The cause of the conflict may be a key under which another node has stored a response.
    for session in conflicts { batch[session]?.session.keys.forget() }
    for session in conflicts.sorted() {
      let jobs = batch.jobs(of: session)
      if isHeld { giveUp(jobs) } else { reruns.conflict(session, jobs) }
    }
  }

  /// Publishes the due time of the next effect in the statistics if it has changed.
  private func updateFigures() {
    effects.updateCallFigures()
    guard effects.schedule.earliest != publishedDue else { return }
    publishedDue = effects.schedule.earliest
    parts.figures.withLock { $0.nextDue = publishedDue }
  }

  private func publish(_ batch: Batch, _ write: JournalBatch, without faults: [String: JournalError], after duration: UInt64?) {
    // If some sessions were not written, their definitions may be missing from the journal.
    if faults.isEmpty { keptDefinitions.formUnion(write.definitions.keys) }
    parts.cache.publish(faults.isEmpty ? batch.staged : batch.staged.filter { faults[$0.session.id] == nil })
    let written = faults.isEmpty ? write.sessions : write.sessions.filter { faults[$0.record.id] == nil }
    let entries = written.reduce(0) { $0 + $1.entries.count }
    let born = written.count { $0.after == 0 }
    let deleted = faults.isEmpty ? write.deletions.count : write.deletions.count { faults[$0] == nil }
    parts.figures.withLock { figures in
      if let duration {
        figures.commits += 1
        figures.commitTimes.add(duration)
      }
      figures.committedActions += entries
      figures.largestBatch = max(figures.largestBatch, entries)
      // If nodes share the journal, the count is only an estimate between two queries, because other nodes may have changed it.
      figures.sessions = max(0, figures.sessions + born - deleted)
      for session in written {
        for entry in session.entries { figures.apps[session.record.app, default: AppFigures()].add(entry) }
      }
    }
    // Deletions alone do not prove that the journal works, because they may have used the reserve of a full disk.
    if !written.isEmpty { health.recovered() }
  }

  /// Handles sessions whose changes were not written. Removes them from the cache, because their cached states may differ from the journal.
  /// Logs the errors, and defers the service's own jobs.
  private func drop(_ faults: [String: JournalError], of batch: Batch) {
    parts.cache.forget(faults.keys)
    for (session, error) in faults { parts.log(.sessionNotWritten(session: session, error)) }
    for job in batch.retained({ faults[$0] != nil }) { deferred.add(job) }
  }

  /// Handles a commit that failed completely or may have failed. Every caller receives the fault. The cache still matches the journal, unless the content of
  /// the journal is uncertain.
  private func fail(_ batch: Batch, _ error: JournalError) {
    health.fail(error)
    for job in batch.retained({ _ in true }) { deferred.add(job) }
    if error == .uncertain {
      parts.cache.forget(batch.staged.map(\.session.id))
      parts.figures.withLock { $0.uncertain += 1 }
    }
    let fault = StoreFault(error)
    batch.answerAll { _ in fault }
  }
}
