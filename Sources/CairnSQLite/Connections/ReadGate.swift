import CairnRuntime

/// A gate through which the reads of this process pass (`SQLiteDatabase.read`). It is shut for a moment while the write-ahead log is emptied: running reads
/// end within milliseconds, and new reads wait. Thread-safe.
final class ReadGate: Sendable {
  private struct Contents {
    var readers = 0
    var isShut = false
  }

  private let contents = Monitor(Contents())

  /// Enters the gate. Blocks while the gate is shut.
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

  /// Leaves the gate after a read.
  func leave() {
    let isAwaited = contents.withLock { contents in
      contents.readers -= 1
      return contents.isShut && contents.readers == 0
    }
    if isAwaited { contents.change { _ in } }
  }

  /// Shuts the gate and runs `work` when all readers have left. Returns `nil` without running `work` if some readers have not left at the
  /// deadline (`Monotonic`).
  func withoutReaders<Result>(until deadline: UInt64, _ work: () -> Result) -> Result? {
    contents.withLock { $0.isShut = true }
    defer { contents.change { $0.isShut = false } }
    guard contents.wait(until: deadline, { $0.readers == 0 ? true : nil }) != nil else { return nil }
    return work()
  }
}
