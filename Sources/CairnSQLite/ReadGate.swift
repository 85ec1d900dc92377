import CairnRuntime

/// A gate for the readers of this process. It is closed for a moment when the log is emptied: readers inside leave within milliseconds, and
/// new ones wait as long. Any thread.
final class ReadGate: Sendable {
  private struct Contents {
    var readers = 0
    var isShut = false
  }

  private let contents = Monitor(Contents())

  /// Lets a reader in, when the gate is open.
  func enter() {
    let isIn = contents.withLock { contents in
      if !contents.isShut { contents.readers += 1 }
      return !contents.isShut
    }
    guard !isIn else { return }
    let _: Void? = contents.wait { contents in
      guard !contents.isShut else { return nil }
      contents.readers += 1
      return ()
    }
  }

  /// The reader is out.
  func leave() {
    let isAwaited = contents.withLock { contents in
      contents.readers -= 1
      return contents.isShut && contents.readers == 0
    }
    if isAwaited { contents.change { _ in } }
  }

  /// Runs `work` without any reader, if the readers leave before a deadline (`Monotonic`); returns `nil` if they did not.
  func withoutReaders<Result>(until deadline: UInt64, _ work: () -> Result) -> Result? {
    contents.withLock { $0.isShut = true }
    defer { contents.change { $0.isShut = false } }
    guard contents.wait(until: deadline, { $0.readers == 0 ? true : nil }) != nil else { return nil }
    return work()
  }
}
