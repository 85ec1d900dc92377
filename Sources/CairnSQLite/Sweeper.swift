import CairnRuntime

/// What goes on behind the commits, on a thread of its own: the log of writes is moved into the database, and what was deleted is erased,
/// a little in each turn, so that a commit never waits long.
final class Sweeper: Sendable {
  /// What it does the work with. Called on its thread; each takes a few milliseconds.
  struct Work: Sendable {
    /// Erases some rows of a deleted session; false: nothing is left to erase.
    var erase: @Sendable () -> Bool
    /// Moves what it can without waiting for anybody: how many pages are left in the log; nil: it could not.
    var move: @Sendable () -> Int?
    /// Empties the log, if nobody is in the way.
    var empty: @Sendable () -> Bool
  }

  private struct Contents {
    var isOpen = true
    var isBusy = false
    /// Pages in the log.
    var pages = 0
    /// Below this many pages the log is left alone.
    var threshold = Sweeper.pages
    var hasGraves = false
    /// Something was deleted that still stands in the log.
    var isStained = false
    var emptied: UInt64 = 0
    var wantsRestart = false
    /// Somebody waits for everything to be done at once.
    var isHurried = false
  }

  private enum Task { case erase, move, empty }

  /// Pages (4 KiB each) in the log at which it is moved, and with how many left the writer begins it anew.
  private static let pages = 2_000
  private static let rest = 200
  /// Nanoseconds between two emptyings of the log.
  private static let pause: UInt64 = 5_000_000_000

  private let contents = Monitor(Contents())
  private let work: Work
  private let thread = Lock<NamedThread?>(nil)

  init(_ work: Work) { self.work = work }

  /// Starts the thread.
  func start(hasGraves: Bool) throws(ThreadError) {
    contents.withLock { $0.hasGraves = hasGraves }
    let started = try NamedThread("cairn-sweeper") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Ends the thread, after what it is doing.
  func stop() {
    contents.change { $0.isOpen = false }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// After a commit, with the pages that are in the log now. Answers whether the writer is to begin the log anew: nearly all of it was moved.
  func committed(pages: Int) -> Bool {
    let (wakes, restarts) = contents.withLock { contents in
      contents.pages = pages
      defer { contents.wantsRestart = false }
      return (pages >= contents.threshold && !contents.isBusy, contents.wantsRestart)
    }
    if wakes { contents.change { _ in } }
    return restarts
  }

  /// The log begins anew.
  func restarted() { contents.withLock { $0.threshold = Self.pages } }

  /// A session was deleted.
  func bury() { contents.change { $0.hasGraves = true } }

  /// Blocks until nothing of what was deleted is left, or for a while (`Monotonic`): a reader may be in the way.
  func finish(until deadline: UInt64) {
    contents.change { $0.isHurried = true }
    _ = contents.wait(until: deadline) { contents -> Bool? in
      !contents.isBusy && !contents.hasGraves && !contents.isStained ? true : nil
    }
    contents.withLock { $0.isHurried = false }
  }

  private func run() {
    while let task = next() {
      switch task {
      case .erase:
        let isLeft = work.erase()
        contents.change { contents in
          contents.isBusy = false
          if !isLeft { contents.hasGraves = false }
          if !isLeft { contents.isStained = true }
        }
      case .move:
        let left = work.move()
        contents.change { contents in
          contents.isBusy = false
          contents.wantsRestart = left.map { $0 < Self.rest } ?? false
          // Until the writer has begun it anew, or a reader that held it is gone, there is nothing to gain before it has grown.
          contents.threshold = contents.pages + Self.pages / 4
        }
      case .empty:
        _ = work.move()
        let isEmpty = work.empty()
        contents.change { contents in
          contents.isBusy = false
          contents.emptied = Monotonic.now()
          if isEmpty {
            contents.isStained = false
            contents.threshold = Self.pages
          }
        }
      }
    }
  }

  /// Blocks until there is something to do; nil: it is over.
  private func next() -> Task? {
    while true {
      let deadline = contents.withLock { contents in
        contents.isStained ? (contents.isHurried ? Monotonic.now() + 10_000_000 : contents.emptied + Self.pause) : nil
      }
      let task: Task?? = contents.wait(until: deadline) { contents in
        guard contents.isOpen else { return .some(nil) }
        let task: Task
        if contents.hasGraves {
          task = .erase
        } else if contents.isStained, contents.isHurried || Monotonic.now() >= contents.emptied + Self.pause {
          task = .empty
        } else if contents.pages >= contents.threshold {
          task = .move
        } else {
          return nil
        }
        contents.isBusy = true
        return .some(task)
      }
      if case .some(let task) = task { return task }
    }
  }
}
