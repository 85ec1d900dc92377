import CairnCore
import CairnJournal
import CairnRuntime

/// A session whose newest known entry the journal has lost, for example by a failover to a server without it.
struct SessionLoss: Sendable {
  let session: String
  /// The newest entry that this node knew.
  let lost: RevisionTag
  /// The newest entry in the journal.
  let newest: RevisionTag

  init(_ session: String, lost: RevisionTag, newest: RevisionTag) {
    self.session = session
    self.lost = lost
    self.newest = newest
  }

  /// A lower bound of the number of lost revisions. New revisions of the session since the loss hide some of the lost ones.
  var count: Int { max(1, lost.revision - newest.revision) }
}

/// The losses that this node has noticed, so that each loss is counted once although several readers notice it. Thread-safe.
final class KnownLosses: Sendable {
  private struct Contents {
    var tags = RecentlyUsed<String, RevisionTag>(limit: 10_000)
    /// The earliest time of the next line in the log, in milliseconds since 1970.
    var logTime = Int.min
  }

  private let contents = Lock(Contents())
  private let clock: any Clock
  private let figures: Lock<StoreFigures>
  private let log: @Sendable (StoreEvent) -> Void

  /// The minimum time between two lines in the log, in milliseconds. A failover may concern thousands of sessions.
  private static let pause = 60_000

  init(_ clock: any Clock, _ figures: Lock<StoreFigures>, _ log: @escaping @Sendable (StoreEvent) -> Void) {
    self.clock = clock
    self.figures = figures
    self.log = log
  }

  /// Counts a loss that is not known yet, and logs it unless another loss was logged within a minute.
  func note(_ loss: SessionLoss) {
    let (isNew, isLogged) = see(loss, at: clock.now())
    if isNew { figures.withLock { $0.lostRevisions += loss.count } }
    if isLogged { log(.revisionsLost(session: loss.session, lost: "\(loss.lost)", newest: "\(loss.newest)")) }
  }

  /// Records a loss if the journal no longer contains the newest entry of a known session. `version` was read after the session became
  /// known; if it is `nil`, the version is read now.
  func note(_ known: Session, at version: SessionVersion?, in sessions: any SessionJournal) {
    // Unreported: the error is ignored here. The caller reads the whole session, which reports the error or counts the loss.
    guard let version = try? version ?? sessions.version(of: known.id), version.lacks(known.version) else { return }
    note(SessionLoss(known.id, lost: known.tag, newest: version.tag))
  }

  /// Records a loss. Returns whether it is new, and whether it must be logged. `now` is in milliseconds since 1970.
  private func see(_ loss: SessionLoss, at now: Int) -> (isNew: Bool, isLogged: Bool) {
    contents.withLock { contents in
      guard contents.tags[loss.session]?.agrees(with: loss.lost) != true else { return (false, false) }
      contents.tags.keep(loss.lost, for: loss.session, weight: 1)
      guard now >= contents.logTime else { return (true, false) }
      contents.logTime = now + Self.pause
      return (true, true)
    }
  }
}
