import CairnJournal
import CairnRuntime

/// Reads the changes of a shared journal while the node has subscribers, and passes them to the feed. Subscribers of one session receive
/// the changes of other nodes. Subscribers of all sessions receive all changes. Without subscribers the journal is not read.
final class ChangeReader: Sendable {
  private let parts: StoreParts
  private let state = Monitor((isOpen: true, isSignaled: false))
  private let thread = Lock<NamedThread?>(nil)

  /// The maximum time between two reads, in nanoseconds.
  private static let interval: UInt64 = 100_000_000
  /// The minimum time between two reads if the journal signals changes, in nanoseconds.
  private static let gap: UInt64 = 10_000_000
  /// The maximum number of changes per page that become events for the subscribers of all sessions. If a page has more changes, these
  /// subscribers must read the list of sessions again.
  private static let eventLimit = 500
  /// The maximum number of sessions whose identities are cached. The event of a session's end contains its identity.
  private static let identityLimit = 10_000

  init(_ parts: StoreParts) { self.parts = parts }

  func start() throws(ThreadError) {
    // `onChange` starts a thread of the journal. This thread ends when the journal is closed, even if the thread of this reader cannot be started.
    let wake = { @Sendable [parts, state] in
      if parts.feed.isActive { state.change { $0.isSignaled = true } }
    }
    parts.feed.whenWatched(wake)
    try parts.cluster.onChange(wake)
    let new = try NamedThread("cairn-changes") { [self] in
      var place = Place()
      var last = Monotonic.now()
      while pause(since: last) {
        last = Monotonic.now()
        if parts.feed.isActive { while read(&place) {} } else { place = Place() }
      }
    }
    thread.withLock { $0 = new }
  }

  func stop() {
    state.change { $0.isOpen = false }
    thread.withLock { $0 }?.join()
  }

  /// The position up to which changes have been read.
  private struct Place {
    /// The cursor of the last read; `nil` before the first read.
    var cursor: ChangeCursor?
    /// The identities of the sessions in the latest events, by the sessions' ids.
    var identities = RecentlyUsed<String, SessionIdentity>(limit: ChangeReader.identityLimit)
  }

  /// Reads a page of changes. Returns whether another page can be read immediately.
  private func read(_ place: inout Place) -> Bool {
    do {
      let page = try parts.cluster.changes(after: place.cursor)
      var changes = page.changes
      if page.isLacking || page.isOtherServer {
        // Every session with a subscriber may have changed, or may have lost its newest entries.
        for session in parts.feed.received { changes.append(SessionChange(session, version: try parts.sessions.version(of: session))) }
      }
      let (notes, isMissing) = events(of: page.changes, &place.identities)
      // Subscribers of all sessions are admitted only after the first read, so they have missed no changes before this read.
      parts.feed.send(changes, notes: notes, isMissing: isMissing || page.isLacking && place.cursor != nil)
      place.cursor = page.cursor
      parts.feed.admit()
      parts.faults.succeeded(.changes)
      return page.hasMore && state.withLock { $0.isOpen }
    } catch {
      // The failed read is repeated from the same place.
      parts.faults.note(.changes, error)
      return false
    }
  }

  /// Returns the events of `changes` for the subscribers of all sessions, and whether some events are missing.
  private func events(of changes: [SessionChange], _ identities: inout RecentlyUsed<String, SessionIdentity>) -> (
    notes: [Note], isMissing: Bool
  ) {
    guard parts.feed.coversAllSessions, !changes.isEmpty else { return ([], false) }
    guard changes.count <= Self.eventLimit else { return ([], true) }
    var notes: [Note] = []
    var isMissing = false
    for change in changes {
      if let revision = change.revision {
        do {
          let session = try parts.existing(change.session)
          identities.keep(session.identity, for: session.id, weight: 1)
          let beginning = try parts.beginning(of: session.id)
          let after = max(change.before, beginning)
          let occurrences = after < revision ? try occurrences(of: session.identity, after: after, through: revision) : []
          notes.append(Note(session.identity, occurrences, beginning: beginning > 0 ? beginning : nil))
          if after >= revision { continue }
          isMissing = isMissing || occurrences.last?.revision != revision
        } catch {
          // The session was deleted after this change, together with its events. Its end follows as a separate change.
          if case .unknownSession = error as? StoreFault { continue }
          parts.faults.note(.changes, of: change.session, error)
          isMissing = true
        }
      } else if let (identity, ending) = parts.feed.end(of: change.session) {
        notes.append(Note(identity, [], ending: ending))
      } else if let identity = identities[change.session] ?? parts.cache.session(change.session)?.identity {
        notes.append(Note(identity, [], ending: .deleted))
      } else {
        isMissing = true
      }
    }
    return (notes, isMissing)
  }

  /// Returns the events of a session after a revision up to `last`, or fewer if they are large. Blocks until they are read.
  private func occurrences(of identity: SessionIdentity, after revision: Int, through last: Int) throws -> [Occurrence] {
    var read = HistoryRead(identity.id, after: revision, limit: last - revision, bytes: 1 << 20) { item in
      let occurrence = Occurrence(identity, item)
      return (occurrence, occurrence.weight)
    }
    while true { if let page = try read.step(parts) { return page.items } }
  }

  /// Blocks until the next read. Returns `false` after the stop.
  private func pause(since last: UInt64) -> Bool {
    _ = state.wait(until: last + Self.interval) { $0.isOpen && !$0.isSignaled ? nil : () }
    _ = state.wait(until: last + Self.gap) { $0.isOpen ? nil : () }
    return state.withLock { state in
      state.isSignaled = false
      return state.isOpen
    }
  }
}
