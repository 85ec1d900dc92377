import CairnCore
import CairnRuntime

/// Moves the sessions of running rollouts, a few at a time, on its own thread. Of several nodes one does. What a rollout has reached is in the journal,
/// so it goes on after a stop or on another node.
final class RolloutRunner: Sendable {
  private struct Contents {
    /// Whether a rollout was begun or changed on this node.
    var isNudged = true
    /// The rollouts as last read, by app.
    var known: [String: Rollout] = [:]
  }

  private let parts: StoreParts
  private let loop = BackgroundLoop(Contents())

  /// The time for which a node claims the rollouts, in milliseconds, and the pause between two rounds that found nothing to move.
  private static let lease = 30_000
  private static let pause = Duration.seconds(2)
  /// The pause between two looks at the journal for rollouts that other nodes have begun.
  private static let look = Duration.seconds(1)

  init(_ parts: StoreParts) { self.parts = parts }

  /// Starts the thread.
  func start() throws(ThreadError) {
    adopt((try? parts.journal.rollouts()) ?? [])
    try loop.start("cairn-rollout") { [self] in run() }
  }

  /// Ends the thread after the current sessions.
  func stop() { loop.stop() }

  /// The newest known rollout of each app. Any thread.
  var known: [String: Rollout] { loop.withLock { $0.known } }

  /// Takes over a rollout that was begun or changed on this node.
  func adopt(_ rollout: Rollout) {
    loop.change { contents in
      contents.known[rollout.app] = rollout
      contents.isNudged = true
    }
  }

  private func adopt(_ rollouts: [Rollout]) {
    loop.withLock { contents in
      for rollout in rollouts where contents.known[rollout.app].map({ $0.version <= rollout.version }) ?? true {
        contents.known[rollout.app] = rollout
      }
    }
  }

  private func run() {
    /// The place of each running rollout, by app.
    var rounds: [String: RolloutRound] = [:]
    while loop.isOpen {
      adopt((try? parts.journal.rollouts()) ?? [])
      let active = known.values.filter { $0.state == .running && $0.moment != nil || $0.state == .reverting }.sorted { $0.app < $1.app }
      rounds = rounds.filter { app, round in active.contains { $0.app == app && round.isOf($0) } }
      var hasMoved = false
      if !active.isEmpty, (try? parts.journal.claim(.rollout, for: Self.lease)) == true {
        for rollout in active where loop.isOpen {
          var round = rounds[rollout.app] ?? RolloutRound(rollout, parts)
          let start = Monotonic.now()
          let result = round.step(rollout)
          rounds[rollout.app] = result.isOver ? nil : round
          keep(result.rollout)
          hasMoved = hasMoved || !result.isOver
          rest(after: result.count, rollout.rate, since: start)
        }
      }
      if !hasMoved { wait(hasWork: !active.isEmpty) }
    }
  }

  /// Pauses so that the rate is kept, and at least as long as the sessions took, so that other requests get half of the writer and the disk.
  private func rest(after count: Int, _ rate: Int, since start: UInt64) {
    let now = Monotonic.now()
    let least = start + UInt64(count) * 1_000_000_000 / UInt64(max(1, rate))
    _ = loop.pause(until: max(least, now + (now - start)))
  }

  private func wait(hasWork: Bool) {
    let deadline: UInt64? =
      hasWork ? Monotonic.deadline(after: Self.pause) : parts.journal.isExclusive ? nil : Monotonic.deadline(after: Self.look)
    let _: Void? = loop.wait(until: deadline) { contents in
      guard contents.isNudged else { return nil }
      contents.isNudged = false
      return ()
    }
  }

  /// Stores what a rollout has reached, unless an operator has changed it since.
  private func keep(_ rollout: Rollout) {
    guard known[rollout.app] != rollout else { return }
    var next = rollout
    next.version += 1
    do {
      try parts.journal.keep(next, after: rollout.version)
      adopt([next])
    } catch {
      // It was changed meanwhile, or the journal fails: the next round begins with what is stored.
    }
  }
}
