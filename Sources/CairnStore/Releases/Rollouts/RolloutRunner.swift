import CairnCore
import CairnJournal
import CairnRuntime

/// Moves the sessions of running rollouts, a few at a time, on its own thread. Of several nodes, only one at a time moves sessions. The
/// progress of a rollout is stored in the journal, so the rollout continues after a stop or on another node.
final class RolloutRunner: Sendable {
  private struct Contents {
    /// Whether a rollout was begun or changed on this node since the thread last checked.
    var isNudged = true
    /// Whether an operator's request at this node has changed a rollout. If so, this node moves the sessions.
    var takesOver = false
    /// Whether the rollouts have been read since the start.
    var isRead = false
    /// The rollouts as last read, by app.
    var known: [String: Rollout] = [:]
    /// The rollouts that cannot be read, by app.
    var damaged: [String: StoredRollouts.Damaged] = [:]

    /// Records a version of a rollout, unless a newer version is known: the thread may have stored one in the meantime.
    mutating func take(_ rollout: Rollout) {
      if let known = known[rollout.app], known.version > rollout.version { return }
      known[rollout.app] = rollout
      damaged[rollout.app] = nil
    }
  }

  private let parts: StoreParts
  private let loop = BackgroundLoop(Contents())

  /// The time for which a node claims the rollouts, in milliseconds, and the pause after which it claims them again. If the node is killed,
  /// another node continues after at most `lease` plus `pause`.
  private static let lease = 4_000
  private static let renewal = Duration.seconds(1)
  /// The pause between two rounds that found nothing to move, and between two attempts to claim the rollouts.
  private static let pause = Duration.seconds(2)
  /// Minimum pause after a round, as a multiple of the round's duration, but at most `longest` nanoseconds. Each round visits all sessions
  /// that have not moved yet. The pause prevents these visits from keeping the service busy.
  private static let restFactor: UInt64 = 3
  private static let longest: UInt64 = 30_000_000_000
  /// The interval at which the journal is read for rollouts that other nodes have begun.
  private static let look = Duration.seconds(1)
  /// Maximum number of attempts to store the progress of a rollout while operators change it.
  private static let attempts = 8

  init(_ parts: StoreParts) { self.parts = parts }

  func start() throws(ThreadError) {
    read()
    try loop.start("cairn-rollout") { [self] in run() }
  }

  /// Ends the thread after the current moves.
  func stop() { loop.stop() }

  /// The newest known rollout of each app. Can be called on any thread.
  var known: [String: Rollout] { loop.withLock { $0.known } }

  /// The rollouts that cannot be read. Can be called on any thread.
  var damaged: [StoredRollouts.Damaged] { loop.withLock { $0.damaged.values.sorted { $0.app < $1.app } } }

  /// The newest known rollout of an app; `nil` if the app has no rollout. Throws if the rollout cannot be read, or if no rollouts have been
  /// read since the start. Can be called on any thread.
  func rollout(of app: String) throws(StoreFault) -> Rollout? {
    let (rollout, fault, isRead) = loop.withLock { ($0.known[app], $0.damaged[app], $0.isRead) }
    if let fault { throw .storage("the rollout of \(app): \(fault.reason)") }
    guard isRead else { throw .storage("the rollouts have not been read since the start of this node; try again") }
    return rollout
  }

  /// Makes this node move the sessions of a rollout, because the rollout was started or changed here.
  func adopt(_ rollout: Rollout) {
    loop.change { contents in
      contents.take(rollout)
      contents.isNudged = true
      contents.takesOver = true
    }
  }

  /// Reads the rollouts. After a failure, keeps the known ones.
  private func read() {
    guard let stored = attempt({ () throws(JournalError) in try parts.documents.rollouts() }) else { return }
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

  /// The result of one pass over the active rollouts, which moves a few sessions of each.
  private struct Step {
    var hasWork = false
    /// Whether this node has the claim.
    var isClaimed = false
    /// Whether the round of a rollout has not ended yet. If so, the next step follows without a pause.
    var hasMoved = false
    /// The minimum pause before the next rounds, in nanoseconds.
    var pause: UInt64 = 0
  }

  private func run() {
    /// The current round of each running rollout, by app.
    var rounds: [String: RolloutRound] = [:]
    while loop.isOpen {
      var step = Step()
      parts.faults.round(.rollout) { step = self.step(&rounds) }
      if !step.hasMoved { wait(after: step) }
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
      try parts.cluster.claim(.rollout, for: Self.lease, takingOver: takesOver)
    }
    guard isClaimed == true else { return step }
    step.isClaimed = true
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

  /// Pauses after `count` moves, so that there are at most `rate` moves per second. The pause is at least as long as the moves took, so
  /// that other requests get half of the writer and the disk.
  private func rest(after count: Int, _ rate: Int, since start: UInt64) {
    let now = Monotonic.now()
    let least = start + UInt64(count) * 1_000_000_000 / UInt64(max(1, rate))
    wait(until: max(least, now + (now - start)), isClaimed: true) { _ in false }
  }

  /// Waits until an operator changes a rollout at this node, or the next round or read of the rollouts is due.
  private func wait(after step: Step) {
    let deadline: UInt64? =
      step.hasWork
      ? max(Monotonic.deadline(after: Self.pause), Monotonic.now() + step.pause)
      : loop.withLock { $0.isRead } ? parts.nodes.lookInterval.map { Monotonic.deadline(after: $0) } : Monotonic.deadline(after: Self.look)
    wait(until: deadline, isClaimed: step.isClaimed) { contents in
      defer { contents.isNudged = false }
      return contents.isNudged
    }
  }

  /// Waits until the deadline, or until `isOver` returns `true`. Renews this node's claim during the wait if `isClaimed` is set.
  private func wait(until deadline: UInt64?, isClaimed: Bool, _ isOver: (inout Contents) -> Bool) {
    while true {
      let next = isClaimed && parts.cluster.isShared ? min(deadline ?? .max, Monotonic.deadline(after: Self.renewal)) : deadline
      let result: Void? = loop.wait(until: next) { isOver(&$0) ? () : nil }
      guard result == nil, next != deadline, loop.isOpen else { return }
      _ = attempt { () throws(JournalError) in try parts.cluster.claim(.rollout, for: Self.lease) }
    }
  }

  /// Stores the progress of a rollout. If an operator has changed the rollout's state since, the operator's state is stored with the new
  /// report. If the journal fails, the next step begins with the stored progress.
  private func keep(_ reached: Rollout, from before: Rollout) {
    guard reached != before else { return }
    var next = reached
    for _ in 0..<Self.attempts {
      let change = RolloutChange(next, after: next.version)
      do throws(JournalError) {
        try parts.documents.keep(change.rollout, after: change.known)
        return loop.withLock { $0.take(change.rollout) }
      } catch {
        guard case .outdated = error else { return parts.faults.note(.rollout, error) }
        let stored = attempt { () throws(JournalError) in try parts.documents.rollouts().rollout(of: next.app) }
        guard var newest = stored ?? nil, newest.since == reached.since, newest.isDryRun == reached.isDryRun else { return }
        newest.report.add(reached.report, since: before.report)
        if newest.state == before.state { newest.state = reached.state }
        next = newest
      }
    }
  }
}
