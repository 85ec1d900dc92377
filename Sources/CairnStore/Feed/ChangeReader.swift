import CairnRuntime

/// Reads the changes of other nodes while anybody listens, and passes them to the feed. Without listeners the database is not asked.
final class ChangeReader: Sendable {
  private let parts: StoreParts
  private let isOpen = Monitor(true)
  private let thread = Lock<NamedThread?>(nil)

  /// The nanoseconds between two reads.
  private static let interval: UInt64 = 100_000_000

  init(_ parts: StoreParts) { self.parts = parts }

  /// Starts the thread, unless no other node writes to the journal.
  func start() throws(ThreadError) {
    guard !parts.journal.isExclusive else { return }
    let new = try NamedThread("cairn-changes") { [self] in
      var cursor: ChangeCursor?
      var next = Monotonic.now() + Self.interval
      while pause(until: next) {
        next = max(next + Self.interval, Monotonic.now())
        if parts.feed.isActive { read(&cursor) } else { cursor = nil }
      }
    }
    thread.withLock { $0 = new }
  }

  func stop() {
    isOpen.change { $0 = false }
    thread.withLock { $0 }?.join()
  }

  private func read(_ cursor: inout ChangeCursor?) {
    do {
      var page = try parts.journal.changes(after: cursor)
      if page.isLacking {
        // Every session that anybody listens to may have changed.
        for session in parts.feed.heard {
          page.changes.append(SessionChange(session, revision: try parts.journal.version(of: session)?.revision))
        }
      }
      cursor = page.cursor
      if !page.changes.isEmpty || page.isLacking { parts.feed.tell(page.changes) }
    } catch {
      // The next read begins at the same place.
    }
  }

  /// Returns `false` after the stop.
  private func pause(until deadline: UInt64) -> Bool {
    isOpen.wait(until: deadline) { $0 ? nil : false } ?? true
  }
}
