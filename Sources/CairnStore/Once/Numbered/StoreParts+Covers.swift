import CairnCore
import CairnJournal

/// The covers that others have put over the pages that a request's user saw, and the times of the session's entries. Both are read from
/// the entries up to the revision of `state`.
struct SeenCovers: Sendable {
  /// The covers that the entries after the lowest `seen` of the request have added.
  var book = CoverBook()
  /// The session's state after the last of these entries.
  let state: State
  /// The times of the newest entries up to that of `state`, in order, in milliseconds since 1970.
  fileprivate(set) var times: [WideInt]
  /// The time of the newest action of the request's client in these entries, in milliseconds since 1970; 0 if none has a time.
  fileprivate(set) var happened: WideInt = 0

  /// `time` is the time of the session's newest entry in milliseconds since 1970.
  init(state: State, time: WideInt) {
    self.state = state
    times = [time]
  }

  /// The time of the entry of a revision; `nil` if the entry is older than those that were read.
  func time(of revision: Int) -> WideInt? {
    let place = times.count - 1 - max(0, state.revision - revision)
    return place < 0 ? nil : times[place]
  }
}

// Finds the covers that others have put over the pages that a request's user saw. Called on a reader's thread.
extension StoreParts {
  /// Maximum number of a session's newest entries that are read. Older covers are not lifted, as if the user had seen them.
  private static let mostEntries = 2_000

  /// Completes a post from the history: adds the nodes that earlier actions have created, and the covers over the pages that the user saw.
  func lookedUp(_ post: NumberedPost) throws(StoreFault) -> NumberedPost {
    var post = post
    if post.namesActions { post.found = try found(for: post) }
    post.covers = try covers(for: post)
    return post
  }

  /// The covers for a post; `nil` if none of its actions names the revision that its user saw.
  private func covers(for post: NumberedPost) throws(StoreFault) -> SeenCovers? {
    guard let seen = post.lowestSeen else { return nil }
    let session = try existing(post.session)
    let newest = session.state.revision
    let first = max(seen, newest - Self.mostEntries, try beginning(of: session.id))
    var found = SeenCovers(state: session.state, time: session.updatedAt)
    // The state before the first entry has no pages that could be covered, and after the newest revision there are no entries.
    guard first > 0, first < newest else { return found }
    let past = try past(of: session, at: first)
    var state = past.state
    let entries: [JournalEntry]
    do {
      entries = try history.entries(of: session.id, after: first, limit: newest - first)
    } catch {
      throw StoreFault.reading(error)
    }
    found.times = [past.time] + entries.map(\.entry.stamp.time)
    for entry in entries {
      var next = state
      do {
        try StateFormat.apply(entry.difference, to: &next)
      } catch {
        throw .storage("session \(session.id): the difference of entry \(entry.entry.revision) cannot be read: \(error.reason)")
      }
      let isOwn = entry.entry.stamp.sender?.client == post.client
      found.book.note(from: state, to: next, isOwn: isOwn)
      if isOwn, let time = entry.entry.stamp.clientTime { found.happened = max(found.happened, time.happened) }
      state = next
    }
    return found
  }
}

extension NumberedPost {
  /// The lowest revision that the user saw when making one of the actions; `nil` if no action contains such a revision.
  fileprivate var lowestSeen: Int? { actions.compactMap(\.seen).min() }

  /// Whether the history must be read before the post is performed.
  func isLookedUp(in state: State) -> Bool {
    namesActions && !named(in: state).isEmpty || lowestSeen.map { $0 < state.revision } ?? false
  }
}
