import CairnRuntime

/// A thread that cuts off clients that are late, from `init` to `stop()`.
final class Watchdog: Sendable {
  private let stopped = Monitor(false)
  private let thread: NamedThread

  init(_ core: Core) throws(ThreadError) {
    let shortest = min(core.limits.head, core.limits.upload, core.limits.download)
    let pause = max(.milliseconds(10), min(.seconds(1), shortest / 8))
    thread = try NamedThread("http-watchdog") { [stopped] in
      while stopped.wait(until: Monotonic.deadline(after: pause), { $0 ? true : nil }) == nil {
        Watchdog.look(core)
      }
    }
  }

  private static func look(_ core: Core) {
    let now = Monotonic.now()
    for peer in core.ledger.withLock({ Array($0.peers.values) }) where peer.cut(ifLateAt: now) {
      core.ledger.withLock { $0.cut += 1 }
      core.log("connection \(peer.number) from \(peer.address) was too slow and is cut off")
    }
  }

  /// Returns when the thread has ended.
  func stop() {
    stopped.change { $0 = true }
    thread.join()
  }
}
