import CairnCore

/// The events of one session in one commit, from the writer to the feed.
struct Note: Sendable {
  let birth: Birth
  /// The newest entries before and after the commit, and the number of entries in the commit.
  let before, tag: RevisionTag
  let count: Int
  /// One event per entry; empty if the events are not available and must be read from the journal.
  var occurrences: [Occurrence]
  /// The reason if the session ended; `nil` if it continues.
  let ending: FeedEnding?

  /// The revision before which the history was forgotten; `nil` if it was not.
  let beginning: Int?

  /// Whether this session has subscribers, and whether there are subscribers of all sessions.
  let isHeard, isForAll: Bool

  /// Whether some events of the commit are not included.
  var isLacking: Bool { occurrences.count < count }

  /// The events that were read from the journal, for the subscribers of all sessions.
  init(_ birth: Birth, _ occurrences: [Occurrence], ending: FeedEnding? = nil, beginning: Int? = nil) {
    self.birth = birth
    self.beginning = beginning
    // The subscribers of one session, who compare tags, receive none of these.
    before = RevisionTag(0)
    tag = occurrences.last?.tag ?? before
    count = occurrences.count
    self.occurrences = occurrences
    self.ending = ending
    (isHeard, isForAll) = (false, true)
  }

  init(_ staged: Staged, isHeard: Bool, isForAll: Bool) {
    (self.isHeard, self.isForAll) = (isHeard, isForAll)
    birth = staged.session.birth
    beginning = staged.beginning?.revision
    // If a batch ends a session, none of its changes to the session are written.
    before = staged.version.tag
    tag = staged.isGone ? before : staged.session.tag
    count = staged.isGone ? 0 : staged.entries.count
    if !staged.isGone, let told = staged.told, told.count == count {
      // The differences up to a migration belong to another definition, which decides what of them is hidden.
      let moved = staged.entries.lastIndex { $0.definition != nil }
      let reducer = staged.session.definition.reducer
      occurrences = zip(staged.entries.indices, told).map { [birth] index, transition in
        let entry = staged.entries[index]
        let isOfDefinition = moved.map { index > $0 } ?? true
        return Occurrence(
          birth, entry.entry, definition: entry.definition, transition, hash: entry.hash,
          difference: isOfDefinition ? (entry.difference, reducer) : nil)
      }
      if isHeard { occurrences.last?.setBasis(.session(staged.session)) }
    } else {
      occurrences = []
    }
    ending = staged.isGone ? (staged.isExpired ? .expired : .deleted) : nil
  }
}
