import CairnCore
import CairnJournal

/// The events of one session in one commit, from the writer to the feed.
struct Note: Sendable {
  let identity: SessionIdentity
  /// The tags of the newest entries before and after the commit, and the number of entries in the commit.
  let before, tag: RevisionTag
  let count: Int
  /// One event per entry; empty if the events are not available and must be read from the journal.
  var occurrences: [Occurrence]
  /// The reason if the session ended; `nil` if it continues.
  let ending: FeedEnding?

  /// The revision with which the history begins, if earlier entries were forgotten; otherwise `nil`. In a note of the writer, it is set
  /// only if the commit itself has forgotten entries.
  let beginning: Int?

  /// Whether the note is for the subscribers of this session, and whether it is for the subscribers of all sessions.
  let hasSubscribers, isForAll: Bool

  /// Whether some events of the commit are not included.
  var isLacking: Bool { occurrences.count < count }

  /// Creates a note of events that were read from the journal, for the subscribers of all sessions.
  init(_ identity: SessionIdentity, _ occurrences: [Occurrence], ending: FeedEnding? = nil, beginning: Int? = nil) {
    self.identity = identity
    self.beginning = beginning
    // Only subscribers of one session compare tags, and they receive none of these events.
    before = RevisionTag(0)
    tag = occurrences.last?.tag ?? before
    count = occurrences.count
    self.occurrences = occurrences
    self.ending = ending
    (hasSubscribers, isForAll) = (false, true)
  }

  init(_ staged: Staged, hasSubscribers: Bool, isForAll: Bool) {
    (self.hasSubscribers, self.isForAll) = (hasSubscribers, isForAll)
    identity = staged.session.identity
    beginning = staged.beginning?.revision
    // If a batch ends a session, none of its changes to the session are written.
    before = staged.version.tag
    tag = staged.isGone ? before : staged.session.tag
    count = staged.isGone ? 0 : staged.entries.count
    if !staged.isGone, let transitions = staged.transitions, transitions.count == count {
      // The definition determines which parts of a difference clients may see, and only the current definition is known here. So the events
      // of the newest migration and of earlier entries get no difference.
      let moved = staged.entries.lastIndex { $0.definition != nil }
      let reducer = staged.session.definition.reducer
      occurrences = zip(staged.entries.indices, transitions).map { [identity] index, transition in
        let entry = staged.entries[index]
        let isOfDefinition = moved.map { index > $0 } ?? true
        return Occurrence(
          identity, entry.entry, definition: entry.definition, transition, hash: entry.hash,
          difference: isOfDefinition ? (entry.difference, reducer) : nil)
      }
      if hasSubscribers { occurrences.last?.setBasis(.session(staged.session)) }
    } else {
      occurrences = []
    }
    ending = staged.isGone ? (staged.isExpired ? .expired : .deleted) : nil
  }
}
