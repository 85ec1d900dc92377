import CairnCore
import CairnJournal
import CairnRuntime

/// The sessions whose journals have reached a limit. The writer adds them, and the thread that forgets old history removes them. Thread-safe.
final class FullJournals: Sendable {
  struct Contents {
    /// The sessions in the order in which they are processed.
    var waiting: [String] = []
    /// The sessions that wait or are being processed.
    var known: Set<String> = []
    /// Whether the clock was set manually since the last round of `HistoryKeeper`.
    var isNudged = false
  }

  let loop = BackgroundLoop(Contents())

  /// Adds a session, unless it already waits or is being processed.
  func add(_ session: String) {
    loop.change { contents in
      if contents.known.insert(session).inserted { contents.waiting.append(session) }
    }
  }

  /// Ends the processing of a session, so that `add` can queue it again.
  func finish(_ session: String) { loop.withLock { _ = $0.known.remove(session) } }
}

extension StoreParts {
  /// The size limit applies to journals with at least this many entries. A shorter journal is large only because of large states.
  private static let fewest = 32

  /// Limits the journal of a session before new entries are added. At the limit, its older half is forgotten in the background. At twice
  /// the limit, the whole history is forgotten in this commit, which requires no read of the journal.
  func bound(_ staged: Staged) {
    let entries = staged.session.state.revision - staged.session.beginning
    var share = entries / limits.entries
    if entries >= Self.fewest, let bytes = sessions.bytes(of: staged.session.id) { share = max(share, bytes / limits.journal) }
    guard share > 0 else { return }
    if share > 1 { staged.forget() } else { fullJournals.add(staged.session.id) }
  }
}
