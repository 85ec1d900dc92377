import CairnJournal

/// A message to the feed's thread.
enum FeedMessage: Sendable {
  case joined(String, Int, received: RevisionTag, seen: RevisionTag, SessionIdentity, any SessionListener)
  case waits(SessionIdentity, Waiter)
  case left(String, Int, isLast: Bool)
  case looks(Int, received: Int?, any AllSessionsSubscriber)
  case looksAway(Int)
  case committed(Note)
  /// Changes that other nodes have committed to sessions with subscribers.
  case changed([SessionChange])
  /// The subscribers of all sessions have missed changes.
  case missed
  case ready(String, Int)
  case page(String, behind: RevisionTag, Result<HistoryPage<Occurrence>, StoreFault>)
  /// The newest state of a session whose subscribers have received entries that the journal has lost.
  case found(String, Result<Session, StoreFault>)
  case dismiss
}
