import CairnRuntime
import CairnStore

/// The work behind the commits, on a thread of its own. It moves the log of writes into the database and erases deleted rows, a little in
/// each turn, so that a commit never waits long. Failures are retried after a time.
final class Sweeper: Sendable {
  /// The sweeper's operations. Called on its thread; each takes a few milliseconds.
  struct Work: Sendable {
    /// Erases some rows of deleted sessions; false: nothing is left to erase. Throws what stood in the way.
    var erase: @Sendable () throws -> Bool
    /// Moves what it can without waiting for readers; returns the number of pages left in the log, or `nil` if it failed.
    var move: @Sendable () -> Int?
    /// Empties the log, if no reader uses it.
    var empty: @Sendable () -> Bool
    /// Gives free pages back to the disk; false: there are no more to give.
    var giveBack: @Sendable () throws -> Bool = { false }
  }

  private struct Contents {
    var isBusy = false
    /// Pages in the log.
    var pages = 0
    /// Below this many pages the log is not moved.
    var threshold = Sweeper.pages
    var wantsRestart = false
    var traces = Traces()
    /// Before these moments it is of no use to try.
    var nextErasing: UInt64 = 0
    var nextEmptying: UInt64 = 0
    /// Rows were erased since free pages were given back to the disk.
    var hasSlack = false
    /// Whether a caller waits for everything to be done at once.
    var isHurried = false
    var faults = 0
    /// Whether an overdue erasure has been reported.
    var isTold = false

    /// The obstacle of an overdue erasure.
    var hindrance: String {
      if nextErasing > Monotonic.now() { return "it cannot be erased" }
      return traces.stains == nil ? "there is more of it than was erased so far" : "another program reads the database"
    }
  }

  private enum Task { case erase, move, empty, giveBack }

  /// Pages (4 KiB each) in the log at which it is moved; with few enough left the writer restarts it.
  private static let pages = 2_000
  private static let rest = 200
  /// Nanoseconds between two emptyings of the log, before another try of what failed, and after which what was deleted should be gone.
  private static let pause: UInt64 = 5_000_000_000
  private static let retry: UInt64 = 1_000_000_000
  private static let promise: UInt64 = 10_000_000_000

  private let loop = BackgroundLoop(Contents())
  private let work: Work
  /// Reports an event; any thread.
  let tell: @Sendable (StoreEvent) -> Void

  /// `tell` is called on the sweeper's thread.
  init(_ work: Work, _ tell: @escaping @Sendable (StoreEvent) -> Void) {
    self.work = work
    self.tell = tell
  }

  /// Starts the thread. `hasTombstones`: some were left by the last run.
  func start(hasTombstones: Bool) throws(ThreadError) {
    loop.withLock { contents in
      contents.hasSlack = true
      if hasTombstones { contents.traces.bury(at: Monotonic.now()) }
    }
    try loop.start("cairn-sweeper") { [self] in run() }
  }

  /// Ends the thread, after what it is doing.
  func stop() { loop.stop() }

  /// For how many nanoseconds something has been deleted that is still in the files, 0: nothing is; and how often erasing failed.
  var figures: (isErasing: Bool, age: UInt64, faults: Int) {
    loop.withLock { contents in
      (contents.traces.oldest != nil, contents.traces.age(at: Monotonic.now()), contents.faults)
    }
  }

  /// Called after a commit, with the pages that are in the log now. Returns whether the writer is to restart the log: nearly all of it was
  /// moved.
  func committed(pages: Int) -> Bool {
    let (wakes, restarts) = loop.withLock { contents in
      contents.pages = pages
      defer { contents.wantsRestart = false }
      return (pages >= contents.threshold && !contents.isBusy, contents.wantsRestart)
    }
    if wakes { loop.change { _ in } }
    return restarts
  }

  /// The log has been restarted.
  func restarted() { loop.withLock { $0.threshold = Self.pages } }

  /// A session was deleted.
  func bury() { loop.change { $0.traces.bury(at: Monotonic.now()) } }

  /// Blocks until nothing of what was deleted is left, or for a while (`Monotonic`): a reader may be in the way.
  func finish(until deadline: UInt64) {
    loop.change { $0.isHurried = true }
    _ = loop.wait(until: deadline) { contents -> Bool? in
      !contents.isBusy && contents.traces.oldest == nil ? true : nil
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
      tellOverdue()
    }
  }

  private func erase() {
    let begun = loop.withLock { $0.traces.begin() }
    let isLeft = Result { try work.erase() }
    loop.change { contents in
      contents.isBusy = false
      switch isLeft {
      case .success(true): break
      case .success(false):
        contents.traces.erased(begun)
        contents.hasSlack = true
      case .failure:
        contents.faults += 1
        contents.nextErasing = Monotonic.now() + Self.retry
      }
    }
  }

  private func giveBack() {
    // A failure is retried with the next deletion.
    let isLeft = (try? work.giveBack()) ?? false
    // The pages that moved are in the log; it does not grow by all of them.
    _ = work.move()
    loop.change { contents in
      contents.isBusy = false
      contents.hasSlack = isLeft
    }
  }

  private func move() {
    let left = work.move()
    loop.change { contents in
      contents.isBusy = false
      contents.wantsRestart = left.map { $0 < Self.rest } ?? false
      // Until the writer has restarted it, or its reader is gone, moving it again is useless before it has grown.
      contents.threshold = contents.pages + Self.pages / 4
    }
  }

  private func empty() {
    let stains = loop.withLock { $0.traces.stains }
    _ = work.move()
    let isEmpty = work.empty()
    loop.change { contents in
      contents.isBusy = false
      contents.nextEmptying = Monotonic.now() + (isEmpty ? Self.pause : Self.retry)
      if isEmpty {
        contents.traces.emptied(stains)
        contents.threshold = Self.pages
      }
    }
  }

  private func tellOverdue() {
    let event: StoreEvent? = loop.withLock { contents in
      let age = contents.traces.age(at: Monotonic.now())
      if contents.isTold, contents.traces.oldest == nil {
        contents.isTold = false
        return .erasureDone
      }
      guard !contents.isTold, age > Self.promise else { return nil }
      contents.isTold = true
      return .erasureOverdue(seconds: Int(age / 1_000_000_000), reason: contents.hindrance)
    }
    if let event { tell(event) }
  }

  /// Blocks until there is work; `nil` after the stop.
  private func next() -> Task? {
    while loop.isOpen {
      let deadline: UInt64? = loop.withLock { contents in
        let erasing = contents.traces.hasTombstones ? contents.nextErasing : nil
        let emptying = contents.traces.stains == nil ? nil : contents.isHurried ? Monotonic.now() + 10_000_000 : contents.nextEmptying
        return [erasing, emptying].compactMap { $0 }.min()
      }
      let task: Task? = loop.wait(until: deadline) { contents in
        let now = Monotonic.now()
        let task: Task
        if contents.traces.stains != nil, now >= contents.nextEmptying || (contents.isHurried && !contents.traces.hasTombstones) {
          task = .empty
        } else if contents.traces.hasTombstones, now >= contents.nextErasing {
          task = .erase
        } else if contents.pages >= contents.threshold {
          task = .move
        } else if contents.hasSlack {
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
