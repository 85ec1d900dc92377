import CairnRuntime

/// Reads the changes of other nodes while anybody listens, and passes them to the feed. Without listeners the database is not asked.
final class ChangeReader: Sendable {
  private let parts: StoreParts
  private let state = Monitor((isOpen: true, isSignaled: false))
  private let thread = Lock<NamedThread?>(nil)

  /// The nanoseconds between two reads.
  private static let interval: UInt64 = 100_000_000
  /// The minimum nanoseconds between two reads, if the journal signals changes.
  private static let gap: UInt64 = 10_000_000

  init(_ parts: StoreParts) { self.parts = parts }

  /// Starts the thread, unless no other node writes to the journal.
  func start() throws(ThreadError) {
    guard !parts.journal.isExclusive else { return }
    let new = try NamedThread("cairn-changes") { [self] in
      var cursor: ChangeCursor?
      var last = Monotonic.now()
      while pause(since: last) {
        last = Monotonic.now()
        if parts.feed.isActive { while read(&cursor) {} } else { cursor = nil }
      }
    }
    thread.withLock { $0 = new }
    try parts.journal.onChange { [parts, state] in
      if parts.feed.isActive { state.change { $0.isSignaled = true } }
    }
  }

  func stop() {
    state.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  /// Reads a page of changes. Returns whether there may be another one.
  private func read(_ cursor: inout ChangeCursor?) -> Bool {
    do {
      let isFirst = cursor == nil
      var page = try parts.journal.changes(after: cursor)
      if page.isLacking {
        // Every session that anybody listens to may have changed.
        for session in parts.feed.heard {
          page.changes.append(SessionChange(session, revision: try parts.journal.version(of: session)?.revision))
        }
      }
      cursor = page.cursor
      // Subscribers of all sessions read the list when they join, so for them nothing is missing at first.
      if !page.changes.isEmpty || page.isLacking && !isFirst { parts.feed.tell(page.changes) }
      return page.hasMore && state.withLock { $0.isOpen }
    } catch {
      // The next read begins at the same place.
      return false
    }
  }

  /// Waits until the next read. Returns `false` after the stop.
  private func pause(since last: UInt64) -> Bool {
    _ = state.wait(until: last + Self.interval) { $0.isOpen && !$0.isSignaled ? nil : () }
    _ = state.wait(until: last + Self.gap) { $0.isOpen ? nil : () }
    return state.withLock { state in
      state.isSignaled = false
      return state.isOpen
    }
  }
}
