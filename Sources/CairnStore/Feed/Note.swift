import CairnCore
/// The events of one session in one commit, from the writer to the feed.
struct Note: Sendable {
  let birth: Birth
  /// The revision that the commit made, and how many entries led there.
  let revision: Int
  let count: Int
  /// One for each entry; empty: they were not kept, and have to be read.
  var occurrences: [Occurrence]
  /// nil: it goes on.
  let ending: FeedEnding?

  /// Whether this session has subscribers; whether all sessions have.
  let isHeard, isForAll: Bool

  /// Whether something happened that is not here.
  var isLacking: Bool { occurrences.count < count }

  init(_ staged: Staged, isHeard: Bool, isForAll: Bool) {
    (self.isHeard, self.isForAll) = (isHeard, isForAll)
    birth = staged.session.birth
    // Of what happened in the batch that ended it nothing was written.
    revision = staged.isGone ? staged.base : staged.session.state.revision
    count = staged.isGone ? 0 : staged.entries.count
    if !staged.isGone, let told = staged.told, told.count == count {
      occurrences = zip(staged.entries, told).map { [birth] in Occurrence(birth, $0.entry, $1, hash: $0.hash, size: $0.difference.count) }
    } else {
      occurrences = []
    }
    ending = staged.isGone ? (staged.isExpired ? .expired : .deleted) : nil
  }
}
