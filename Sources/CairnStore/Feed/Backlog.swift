import CairnCore
import CairnJournal

/// The newest entry of a session as its subscribers know it, and the latest events. Used by the feed's thread only.
struct Backlog {
  private var recent = Recent<Occurrence>(limit: 64, weight: 256 << 10)
  /// The tag of the newest known entry, even if the backlog lacks its event. It has no mark if only the revision is known.
  private(set) var newest = RevisionTag(0)
  /// The tag of the entry before the oldest event.
  private var base = RevisionTag(0)

  init() {}

  /// Whether the backlog contains all events after a revision.
  func covers(after revision: Int) -> Bool { recent.covers(after: revision) }

  /// All events after a revision, for which `covers` must be true.
  func events(after revision: Int) -> ArraySlice<Occurrence> { recent.items(after: revision) }

  /// The event of the newest entry; `nil` if the backlog does not contain it.
  var last: Occurrence? { recent.covers(after: newest.revision - 1) ? recent.items(after: newest.revision - 1).last : nil }

  /// The tag of a known entry; `nil` if it is unknown.
  func tag(at revision: Int) -> RevisionTag? {
    if revision == newest.revision { return newest }
    if revision == base.revision { return base }
    guard revision < newest.revision, recent.covers(after: revision - 1) else { return nil }
    return recent.items(after: revision - 1).first?.tag
  }

  /// Removes all events. `newest` becomes the newest known entry.
  mutating func empty(newest tag: RevisionTag) {
    recent.empty(newest: tag.revision)
    (newest, base) = (tag, tag)
  }

  /// Completes the tag of the newest entry after that entry has been read.
  mutating func learn(_ tag: RevisionTag) {
    guard newest.mark == nil, tag.revision == newest.revision else { return }
    newest = tag
    if base.revision == tag.revision { base = tag }
  }

  /// Adds the events of a commit of this node, except those that the backlog already has or that a subscriber has read. Returns `false` if
  /// it is uncertain whether the events follow the known entries. In this case, the caller must read the journal to determine whether known
  /// entries are lost.
  mutating func take(_ note: Note) -> Bool {
    guard note.tag.revision > newest.revision else { return tag(at: note.tag.revision)?.agrees(with: note.tag) ?? false }
    let news = note.occurrences.drop { $0.revision <= newest.revision }
    let before = news.count == note.occurrences.count ? note.before : note.occurrences[news.startIndex - 1].tag
    if before.revision == newest.revision {
      guard before.agrees(with: newest) else { return false }
      learn(before)
    } else if before.revision < newest.revision {
      // The note has no events of the commit, and some of its entries are already known. The other events are read from the journal.
      empty(newest: note.tag)
      return true
    }
    if news.first?.revision != newest.revision + 1 { empty(newest: news.isEmpty ? note.tag : before) }
    for occurrence in news {
      if let dropped = recent.add(occurrence, weight: occurrence.weight) { base = dropped.tag }
      newest = occurrence.tag
    }
    return true
  }
}
