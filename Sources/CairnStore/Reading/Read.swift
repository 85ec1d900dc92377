/// A read of the journal in steps of a few milliseconds. Other reads run between two steps.
struct Read: Sendable {
  /// The kinds of reads, in the order of their priority.
  enum Lane: Int, CaseIterable, Sendable {
    /// Reads of newest states that are not in memory. Every request begins with such a read, so they do not wait for the reads of other
    /// lanes. Short reads of tickets and definitions also use this lane.
    case state
    /// Reads of old revisions and pages of history, plans, exports and imports.
    case past
    /// Lists of sessions.
    case list
  }

  let lane: Lane
  /// The session's id or another key. Reads with the same key run one after the other.
  let key: String
  /// Whether the client still waits for the result. Called on any thread.
  let isWanted: @Sendable () -> Bool
  /// Runs the next step. Returns `true` after the last step, when the reply has been sent.
  let step: @Sendable () -> Bool
  /// Replies with a fault instead of running the next step.
  let refuse: @Sendable (StoreFault) -> Void
}

/// The work of a read in steps. Only one thread uses it at a time.
protocol SteppedRead: Sendable {
  associatedtype Answer

  /// Runs a step. Returns `nil` if more steps are necessary.
  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Answer?
}

/// A read with a single step.
struct SingleRead<Answer>: SteppedRead {
  let find: @Sendable (StoreParts) throws(StoreFault) -> Answer

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> Answer? { try find(parts) }
}
