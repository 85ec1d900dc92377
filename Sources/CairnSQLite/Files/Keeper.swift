import CairnRuntime

/// Background work on its own thread: it updates the mark to the newest commit once per second and, after a change of the key, re-encrypts
/// the secrets in small batches.
final class Keeper: Sendable {
  private struct Contents {
    var hasOldSeals: Bool
  }

  private let loop: BackgroundLoop<Contents>
  private let mark: @Sendable () -> Void
  private let reseal: @Sendable () -> Bool

  /// The interval between two updates of the mark, and the pause between two batches of secrets.
  private static let second = Duration.seconds(1)
  private static let pauseBetweenBatches = Duration.milliseconds(20)

  /// Creates a keeper. `reseal` encrypts the next secrets with the newest key, and returns `false` if none are left. `mark` and `reseal`
  /// are called on the keeper's thread.
  init(hasOldSeals: Bool, mark: @escaping @Sendable () -> Void, reseal: @escaping @Sendable () -> Bool) {
    loop = BackgroundLoop(Contents(hasOldSeals: hasOldSeals))
    self.mark = mark
    self.reseal = reseal
  }

  func start() throws(ThreadError) { try loop.start("cairn-keeper") { [self] in run() } }

  /// Ends the thread after the current work.
  func stop() { loop.stop() }

  /// Blocks until all secrets are encrypted with the newest key, or until the deadline (`Monotonic`). Returns `false` if the deadline has passed.
  func finish(until deadline: UInt64) -> Bool { loop.wait(until: deadline) { $0.hasOldSeals ? nil : true } ?? false }

  private func run() {
    var marked = Monotonic.now()
    while true {
      let isSealing = loop.withLock { $0.hasOldSeals }
      guard loop.pause(until: Monotonic.deadline(after: isSealing ? Self.pauseBetweenBatches : Self.second)) else { return }
      if isSealing, !reseal() { loop.change { $0.hasOldSeals = false } }
      if !isSealing || Monotonic.now() - marked >= Self.second.nanoseconds {
        mark()
        marked = Monotonic.now()
      }
    }
  }
}
