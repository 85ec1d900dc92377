import CairnCore
import CairnJournal
import CairnRuntime

/// The sessions whose journals have reached a limit, from the writer to the thread that forgets old history. Any thread.
final class FullJournals: Sendable {
  struct Contents {
    /// The sessions in the order in which they are processed.
    var waiting: [String] = []
    /// The sessions that wait or are being processed.
    var known: Set<String> = []
    /// Whether the clock was set manually.
    var isNudged = false
  }

  let loop = BackgroundLoop(Contents())

  /// Adds a session, unless it waits already.
  func add(_ session: String) {
    loop.change { contents in
      if contents.known.insert(session).inserted { contents.waiting.append(session) }
    }
  }

  /// Must be called after a session was processed.
  func finish(_ session: String) { loop.withLock { _ = $0.known.remove(session) } }
}

extension Writer {
  /// The number of entries below which the size of a journal has no effect, because it consists of large states.
  private static let fewest = 32

  /// Bounds the journal of a session that may get further entries. At a limit its older half is forgotten in the background. At twice the limit all is
  /// forgotten with this commit, which needs no read.
  func bound(_ staged: Staged) {
    let entries = staged.session.state.revision - staged.session.beginning
    var share = entries / parts.limits.entries
    if entries >= Self.fewest, let bytes = parts.sessions.bytes(of: staged.session.id) { share = max(share, bytes / parts.limits.journal) }
    guard share > 0 else { return }
    if share > 1 { staged.forget() } else { parts.fullJournals.add(staged.session.id) }
  }
}
