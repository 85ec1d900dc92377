import CairnCore
import CairnJournal
import CairnRuntime

/// Slowly checks all sessions for damage while the service runs, one after the other, on its own thread. Of several nodes, only one at a
/// time checks the sessions.
final class Sampler: Sendable {
  private struct Contents {
    var checked = 0
  }

  private let loop = BackgroundLoop(Contents())
  private let sessions: any SessionJournal
  private let cluster: any ClusterJournal
  private let damaged: DamagedSessions
  private let check: SessionCheck
  private let faults: BackgroundFaults
  private let log: @Sendable (StoreEvent) -> Void
  private let pause: Duration
  private let rest: UInt64
  /// The time in milliseconds during which only the node with the claim checks sessions.
  private static let lease = 60_000

  /// The minimum number of pauses between two rounds, so that a service with few sessions does not check them continuously.
  private static let round: UInt64 = 100

  init(_ parts: StoreParts) {
    sessions = parts.sessions
    cluster = parts.cluster
    damaged = parts.damaged
    check = SessionCheck(parts.journal, parts.library)
    faults = parts.faults
    log = parts.log
    pause = .milliseconds(parts.nodes.samplingPause(parts.limits.sampling))
    rest = UInt64(max(0, parts.limits.samplingRest))
  }

  /// The number of sessions checked since the start. Can be called on any thread.
  var checked: Int { loop.withLock { $0.checked } }

  func start() throws(ThreadError) { try loop.start("cairn-sampler") { [self] in run() } }

  /// Ends the thread after the current page of entries, so that a long session does not delay the stop.
  func stop() { loop.stop() }

  private func run() {
    var place = 0
    var wait = pause.nanoseconds
    /// The `Monotonic` time of the next claim.
    var claimTime: UInt64 = 0
    while loop.pause(until: Monotonic.now() + wait) {
      wait = pause.nanoseconds
      if Monotonic.now() >= claimTime {
        guard faults.attempt(.sampling, { () throws(JournalError) in try cluster.claim(.sampling, for: Self.lease) }) == true else {
          wait = Duration.milliseconds(Self.lease / 2).nanoseconds
          continue
        }
        claimTime = Monotonic.deadline(after: .milliseconds(Self.lease / 2))
      }
      // A failed step is retried after the pause.
      if let next = faults.attempt(.sampling, { () throws(JournalError) in try step(behind: place) }) {
        place = next
        faults.succeeded(.sampling)
      }
      if place == 0 { wait *= Self.round }
    }
  }

  /// Checks the session after `place` in the roster, and returns the place of that session. At the end of a round it returns 0, and removes
  /// deleted sessions from the list of damaged ones.
  private func step(behind place: Int) throws(JournalError) -> Int {
    guard let (place, id) = try sessions.roster(after: place, limit: 1).first else {
      for id in damaged.all.keys where try sessions.version(of: id) == nil { damaged.clear(id) }
      return 0
    }
    // The thread pauses after each page of entries, so that the check of a long session takes no larger share of a core than the check of a
    // short one.
    var began = Monotonic.now()
    let fault = try check.fault(of: id) {
      let isOpen = loop.pause(until: Monotonic.now() + (Monotonic.now() - began) * rest)
      began = Monotonic.now()
      return isOpen
    }
    record(id, fault)
    _ = loop.pause(until: Monotonic.now() + (Monotonic.now() - began) * rest)
    return place
  }

  private func record(_ id: String, _ fault: String?) {
    loop.change { $0.checked += 1 }
    guard let fault else { return damaged.clear(id) }
    if damaged.mark(id, reason: fault) { log(.sessionDamaged(session: id, reason: fault)) }
  }
}
