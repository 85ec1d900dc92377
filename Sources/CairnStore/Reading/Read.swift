/// A read that needs the journal, done in steps of a few milliseconds: between two of them others have their turn.
struct Read: Sendable {
  /// The lanes of reads, in the order of their priority.
  enum Lane: Int, CaseIterable, Sendable {
    /// Newest states that are not in memory: what every request needs first, so it waits for nothing else.
    case state
    /// Old revisions, pages of history, and plans.
    case past
    /// Lists of sessions.
    case list
  }

  let lane: Lane
  /// Those of one key are done one after the other: a session's id.
  let key: String
  /// Whether the client still waits for it. Any thread.
  let isWanted: @Sendable () -> Bool
  /// Does the next step; true: it was the last, and the answer is given.
  let step: @Sendable () -> Bool
  /// Answers with a fault in place of the next step.
  let refuse: @Sendable (StoreFault) -> Void
}

/// The steps of a read; it is on one thread at a time.
protocol SteppedRead: Sendable {
  associatedtype Answer

  /// Does a step; nil: there is more to do.
  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Answer?
}

/// A read that is one step.
struct SingleRead<Answer>: SteppedRead {
  let find: @Sendable (StoreParts) throws(StoreFault) -> Answer

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Answer? { try find(parts) }
}
