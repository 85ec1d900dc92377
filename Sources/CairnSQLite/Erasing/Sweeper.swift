import CairnRuntime
import CairnJournal

/// Background work on its own thread: checkpoints of the write-ahead log, and the erasure of deleted rows. It works in small steps, so that a commit
/// never waits long. Failures are retried after a pause.
final class Sweeper: Sendable {
  /// The sweeper's operations. They are called on its thread and take a few milliseconds each.
  struct Work: Sendable {
    /// Erases some rows of deleted sessions and of forgotten history. Returns `false` if no such rows are left.
    var erase: @Sendable () throws -> Bool
    /// Moves pages from the log to the database without waiting for readers. Returns the number of pages left in the log, or `nil` on failure.
    var move: @Sendable () -> Int?
    /// Empties the log unless a reader uses it. Returns whether it was emptied.
    var empty: @Sendable () -> Bool
    /// Returns free pages to the disk. Returns `false` if no pages remain to be returned.
    var giveBack: @Sendable () throws -> Bool = { false }
  }

  private struct Contents {
    var isBusy = false
    /// The number of pages in the log.
    var pages = 0
    /// The number of pages in the log at which a checkpoint is run.
    var threshold = Sweeper.pages
    var wantsRestart = false
    var remains = DeletionRemains()
    /// The earliest `Monotonic` times of the next attempts to erase rows and to empty the log.
    var nextErasing: UInt64 = 0
    var nextEmptying: UInt64 = 0
    /// Whether free pages may have to be returned to the disk. Set at the start and after each erasure of rows.
    var hasFreePages = false
    /// Whether a caller waits until all work is done.
    var isHurried = false
    var faults = 0
    /// Whether an overdue erasure has been reported.
    var isReported = false

    /// The reason why deleted data is still in the files; `.none` if no deleted data is left.
    var hindrance: ErasureHindrance {
      if remains.oldest == nil { return .none }
      if nextErasing > Monotonic.now() { return .failure }
      return remains.oldestInLog == nil ? .backlog : .reader
    }
  }

  private enum Task { case erase, move, empty, giveBack }

  /// The number of pages (4 KiB each) in the log that triggers a checkpoint, and the number of remaining pages below which the writer
  /// restarts the log.
  private static let pages = 2_000
  private static let rest = 200
  /// In nanoseconds: the pause between two attempts to empty the log, the pause before a retry, and the time within which deleted data should be
  /// erased.
  private static let pause: UInt64 = 5_000_000_000
  private static let retry: UInt64 = 1_000_000_000
  private static let promise: UInt64 = 10_000_000_000

  private let loop = BackgroundLoop(Contents())
  private let work: Work
  /// Reports an event. Can be called on any thread.
  let report: @Sendable (StoreEvent) -> Void

  /// Creates a sweeper. `report` is called on the sweeper's thread and on the writer's thread.
  init(_ work: Work, _ report: @escaping @Sendable (StoreEvent) -> Void) {
    self.work = work
    self.report = report
  }

  /// Starts the thread. `hasTombstones` is whether the previous run left unfinished erasures.
  func start(hasTombstones: Bool) throws(ThreadError) {
    loop.withLock { contents in
      contents.hasFreePages = true
      if hasTombstones { contents.remains.noteDeletion(at: Monotonic.now()) }
    }
    try loop.start("cairn-sweeper") { [self] in run() }
  }

  /// Ends the thread after the current work.
  func stop() { loop.stop() }

  /// Whether deleted data is still in the files, the nanoseconds since the oldest deletion with such data, the number of failed erasures, and the reason why
  /// deleted data is still in the files.
  var figures: (isErasing: Bool, age: UInt64, faults: Int, hindrance: ErasureHindrance) {
    loop.withLock { contents in
      (contents.remains.oldest != nil, contents.remains.age(at: Monotonic.now()), contents.faults, contents.hindrance)
    }
  }

  /// Must be called after each commit with the number of pages in the log. Returns whether the writer should restart the log, because
  /// nearly all pages have been moved to the database.
  func committed(pages: Int) -> Bool {
    let (wakes, restarts) = loop.withLock { contents in
      contents.pages = pages
      defer { contents.wantsRestart = false }
      return (pages >= contents.threshold && !contents.isBusy, contents.wantsRestart)
    }
    if wakes { loop.change { _ in } }
    return restarts
  }

  /// Records that the log has been restarted.
  func restarted() { loop.withLock { $0.threshold = Self.pages } }

  /// Records that there are rows to erase, because a session was deleted, history was forgotten, or staged entries were discarded.
  func noteDeletion() { loop.change { $0.remains.noteDeletion(at: Monotonic.now()) } }

  /// Blocks until no deleted data is left, or until the deadline (`Monotonic`). Readers of other processes can delay the erasure.
  func finish(until deadline: UInt64) {
    loop.change { $0.isHurried = true }
    _ = loop.wait(until: deadline) { contents -> Bool? in
      !contents.isBusy && contents.remains.oldest == nil ? true : nil
    }
    loop.withLock { $0.isHurried = false }
  }

  private func run() {
    while let task = next() {
      switch task {
      case .erase: erase()
      case .move: move()
      case .empty: empty()
      case .giveBack: giveBack()
      }
      reportOverdue()
    }
  }

  private func erase() {
    let begun = loop.withLock { $0.remains.begin() }
    let isLeft = Result { try work.erase() }
    loop.change { contents in
      contents.isBusy = false
      switch isLeft {
      case .success(true): break
      case .success(false):
        contents.remains.erased(begun)
        contents.hasFreePages = true
      case .failure:
        contents.faults += 1
        contents.nextErasing = Monotonic.now() + Self.retry
      }
    }
  }

  private func giveBack() {
    // If returning the pages fails, it is retried after the next erasure of rows.
    let isLeft = (try? work.giveBack()) ?? false
    // Returning free pages writes other pages to the log, at their new places. They are moved to the database at once, so that the log
    // stays small.
    _ = work.move()
    loop.change { contents in
      contents.isBusy = false
      contents.hasFreePages = isLeft
    }
  }

  private func move() {
    let left = work.move()
    loop.change { contents in
      contents.isBusy = false
      contents.wantsRestart = left.map { $0 < Self.rest } ?? false
      // Until the writer has restarted the log, or a reader that blocks the checkpoint has ended, another checkpoint is useful only after the log has grown.
      contents.threshold = contents.pages + Self.pages / 4
    }
  }

  private func empty() {
    let oldestInLog = loop.withLock { $0.remains.oldestInLog }
    _ = work.move()
    let isEmpty = work.empty()
    loop.change { contents in
      contents.isBusy = false
      contents.nextEmptying = Monotonic.now() + (isEmpty ? Self.pause : Self.retry)
      if isEmpty {
        contents.remains.emptied(oldestInLog)
        contents.threshold = Self.pages
      }
    }
  }

  private func reportOverdue() {
    let event: StoreEvent? = loop.withLock { contents in
      let age = contents.remains.age(at: Monotonic.now())
      if contents.isReported, contents.remains.oldest == nil {
        contents.isReported = false
        return .erasureDone
      }
      guard !contents.isReported, age > Self.promise else { return nil }
      contents.isReported = true
      return .erasureOverdue(seconds: Int(age / 1_000_000_000), reason: contents.hindrance.words)
    }
    if let event { report(event) }
  }

  /// Blocks until there is work, and returns it; `nil` after the stop.
  private func next() -> Task? {
    while loop.isOpen {
      let deadline: UInt64? = loop.withLock { contents in
        let erasing = contents.remains.hasTombstones ? contents.nextErasing : nil
        let emptying = contents.remains.oldestInLog == nil ? nil : contents.isHurried ? Monotonic.now() + 10_000_000 : contents.nextEmptying
        return [erasing, emptying].compactMap { $0 }.min()
      }
      let task: Task? = loop.wait(until: deadline) { contents in
        let now = Monotonic.now()
        let task: Task
        if contents.remains.oldestInLog != nil, now >= contents.nextEmptying || (contents.isHurried && !contents.remains.hasTombstones) {
          task = .empty
        } else if contents.remains.hasTombstones, now >= contents.nextErasing {
          task = .erase
        } else if contents.pages >= contents.threshold {
          task = .move
        } else if contents.hasFreePages {
          task = .giveBack
        } else {
          return nil
        }
        contents.isBusy = true
        return task
      }
      if let task { return task }
    }
    return nil
  }
}
