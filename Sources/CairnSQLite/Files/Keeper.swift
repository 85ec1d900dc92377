import CairnRuntime

/// Maintains the files beside the commits, on a thread of its own: the mark follows the commits, once a second, and after a change of the
/// key secrets are resealed, a few at a time.
final class Keeper: Sendable {
  private struct Contents {
    var hasOldSeals: Bool
  }

  private let loop: BackgroundLoop<Contents>
  private let mark: @Sendable () -> Void
  private let reseal: @Sendable () -> Bool

  /// Between two marks, and between two slices of secrets.
  private static let second = Duration.seconds(1)
  private static let breath = Duration.milliseconds(20)

  /// `reseal` seals the next few secrets with the newest key; it returns false if none is left. Both are called on its thread.
  init(hasOldSeals: Bool, mark: @escaping @Sendable () -> Void, reseal: @escaping @Sendable () -> Bool) {
    loop = BackgroundLoop(Contents(hasOldSeals: hasOldSeals))
    self.mark = mark
    self.reseal = reseal
  }

  func start() throws(ThreadError) { try loop.start("cairn-keeper") { [self] in run() } }

  /// Ends the thread, after what it is doing.
  func stop() { loop.stop() }

  /// Blocks until all secrets are sealed with the newest key, or for a while (`Monotonic`).
  func finish(until deadline: UInt64) -> Bool { loop.wait(until: deadline) { $0.hasOldSeals ? nil : true } ?? false }

  private func run() {
    var marked = Monotonic.now()
    while true {
      let isSealing = loop.withLock { $0.hasOldSeals }
      guard loop.pause(until: Monotonic.deadline(after: isSealing ? Self.breath : Self.second)) else { return }
      if isSealing, !reseal() { loop.change { $0.hasOldSeals = false } }
      if !isSealing || Monotonic.now() - marked >= Self.second.nanoseconds {
        mark()
        marked = Monotonic.now()
      }
    }
  }
}
