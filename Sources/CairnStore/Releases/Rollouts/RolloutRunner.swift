import CairnCore
import CairnRuntime

/// Moves the sessions of running rollouts, a few at a time, on its own thread. Only one of several nodes does so. The progress of a rollout is in
/// the journal, so it continues after a stop or on another node.
final class RolloutRunner: Sendable {
  private struct Contents {
    /// Whether a rollout was begun or changed on this node.
    var isNudged = true
    /// Whether an operator's request at this node has changed a rollout, so that this node moves the sessions from now on.
    var takesOver = false
    /// Whether the rollouts have been read.
    var isRead = false
    /// The rollouts as last read, by app.
    var known: [String: Rollout] = [:]
    /// The rollouts that cannot be read, by app.
    var damaged: [String: StoredRollouts.Damaged] = [:]

    /// Takes a version of a rollout, unless a newer one is known: the thread may have stored one since.
    mutating func take(_ rollout: Rollout) {
      if let known = known[rollout.app], known.version > rollout.version { return }
      known[rollout.app] = rollout
      damaged[rollout.app] = nil
    }
  }

  private let parts: StoreParts
  private let loop = BackgroundLoop(Contents())

  /// The time for which a node claims the rollouts, in milliseconds, and the pause between two rounds that found nothing to move.
  private static let lease = 30_000
  private static let pause = Duration.seconds(2)
  /// The pause after a round is at least this many times as long as the round, but at most `longest`. Sessions that wait for their moment are visited
  /// in each round, and should not keep the service busy.
  private static let restFactor: UInt64 = 3
  private static let longest: UInt64 = 30_000_000_000
  /// The pause between two looks at the journal for rollouts that other nodes have begun.
  private static let look = Duration.seconds(1)
  /// The number of attempts to store what a rollout has reached while operators change it.
  private static let attempts = 8

  init(_ parts: StoreParts) { self.parts = parts }

  /// Starts the thread.
  func start() throws(ThreadError) {
    read()
    try loop.start("cairn-rollout") { [self] in run() }
  }

  /// Ends the thread after the current sessions.
  func stop() { loop.stop() }

  /// The newest known rollout of each app. Any thread.
  var known: [String: Rollout] { loop.withLock { $0.known } }

  /// The rollouts that cannot be read. Any thread.
  var damaged: [StoredRollouts.Damaged] { loop.withLock { $0.damaged.values.sorted { $0.app < $1.app } } }

  /// The newest known rollout of an app; `nil` if it has none. Throws if it cannot be read, or has not been read since the start. Any thread.
  func rollout(of app: String) throws(StoreFault) -> Rollout? {
    let (rollout, fault, isRead) = loop.withLock { ($0.known[app], $0.damaged[app], $0.isRead) }
    if let fault { throw .storage("the rollout of \(app): \(fault.reason)") }
    guard isRead else { throw .storage("the rollouts have not been read yet") }
    return rollout
  }

  /// Takes over a rollout that was begun or changed on this node.
  func adopt(_ rollout: Rollout) {
    loop.change { contents in
      contents.take(rollout)
      contents.isNudged = true
      contents.takesOver = true
    }
  }

  /// Reads the rollouts. Without an answer the known ones stay.
  private func read() {
    guard let stored = attempt({ () throws(JournalError) in try parts.journal.rollouts() }) else { return }
    let new = loop.withLock { contents -> [StoredRollouts.Damaged] in
      let before = contents.damaged
      contents.isRead = true
      contents.damaged = Dictionary(stored.damaged.map { ($0.app, $0) }) { _, last in last }
      for fault in stored.damaged { contents.known[fault.app] = nil }
      for rollout in stored.intact { contents.take(rollout) }
      return stored.damaged.filter { before[$0.app] != $0 }
    }
    for fault in new { parts.log(.rolloutDamaged(app: fault.app, reason: fault.reason)) }
  }

  private func attempt<Result>(_ work: () throws(JournalError) -> Result) -> Result? { parts.faults.attempt(.rollout, work) }

  /// The result of a step over the active rollouts.
  private struct Step {
    var hasWork = false
    /// Whether the round of a rollout goes on.
    var hasMoved = false
    /// The least pause before the next rounds, in nanoseconds.
    var pause: UInt64 = 0
  }

  private func run() {
    /// The place of each running rollout, by app.
    var rounds: [String: RolloutRound] = [:]
    while loop.isOpen {
      var step = Step()
      parts.faults.round(.rollout) { step = self.step(&rounds) }
      if !step.hasMoved { wait(hasWork: step.hasWork, atLeast: step.pause) }
    }
  }

  private func step(_ rounds: inout [String: RolloutRound]) -> Step {
    read()
    let active = known.values.filter(\.hasWork).sorted { $0.app < $1.app }
    rounds = rounds.filter { app, round in active.contains { $0.app == app && round.isOf($0) } }
    let takesOver = loop.withLock { contents in
      defer { contents.takesOver = false }
      return contents.takesOver
    }
    var step = Step(hasWork: !active.isEmpty)
    guard step.hasWork else { return step }
    let isClaimed = attempt { () throws(JournalError) in
      try parts.journal.claim(.rollout, for: Self.lease, takingOver: takesOver)
    }
    guard isClaimed == true else { return step }
    for rollout in active where loop.isOpen {
      var round = rounds[rollout.app] ?? RolloutRound(rollout, parts)
      let start = Monotonic.now()
      let result = round.step(rollout)
      rounds[rollout.app] = result.isOver ? nil : round
      keep(result.rollout, from: rollout)
      step.hasMoved = step.hasMoved || !result.isOver
      if result.isOver { step.pause = max(step.pause, min((Monotonic.now() - round.start) * Self.restFactor, Self.longest)) }
      rest(after: result.count, rollout.rate, since: start)
    }
    return step
  }

  /// Pauses after `count` moves so that the rate is kept, and at least as long as the sessions took, so that other requests get half of the writer and the disk.
  private func rest(after count: Int, _ rate: Int, since start: UInt64) {
    let now = Monotonic.now()
    let least = start + UInt64(count) * 1_000_000_000 / UInt64(max(1, rate))
    _ = loop.pause(until: max(least, now + (now - start)))
  }

  /// Waits for a change by an operator, and for the next round. `least` is in nanoseconds.
  private func wait(hasWork: Bool, atLeast least: UInt64) {
    let deadline: UInt64? =
      hasWork
      ? max(Monotonic.deadline(after: Self.pause), Monotonic.now() + least)
      : parts.journal.isExclusive && loop.withLock { $0.isRead } ? nil : Monotonic.deadline(after: Self.look)
    let _: Void? = loop.wait(until: deadline) { contents in
      guard contents.isNudged else { return nil }
      contents.isNudged = false
      return ()
    }
  }

  /// Stores the progress of a rollout. If an operator has changed its state since, that state and the report are stored. If the journal fails, the
  /// next step begins with the stored progress.
  private func keep(_ reached: Rollout, from before: Rollout) {
    guard reached != before else { return }
    var next = reached
    for _ in 0..<Self.attempts {
      let version = next.version
      next.version += 1
      do throws(JournalError) {
        try parts.journal.keep(next, after: version)
        return loop.withLock { $0.take(next) }
      } catch {
        guard case .outdated = error else { return parts.faults.note(.rollout, error) }
        let stored = attempt { () throws(JournalError) in try parts.journal.rollouts().rollout(of: next.app) }
        guard var newest = stored ?? nil, newest.since == reached.since, newest.isDryRun == reached.isDryRun else { return }
        newest.report.add(reached.report, since: before.report)
        if newest.state == before.state { newest.state = reached.state }
        next = newest
      }
    }
  }
}
