import CairnCore
import CairnJournal

/// What others have put over the pages that the actions of a request were made on, up to a revision of the session.
struct SeenCovers: Sendable {
  /// The covers of the entries after the lowest `seen` of the request.
  var book = CoverBook()
  /// The session's state with the last of these entries.
  let state: State
}

// Finds what others have put on top since the user acted. Called on a reader's thread.
extension StoreParts {
  /// Maximum number of a session's newest entries that are read. Older covers are not lifted, as if the client had seen them.
  private static let mostEntries = 2_000

  /// The post with what only the history contains: the nodes that earlier actions have created, and what lies over the pages that the user saw.
  func lookedUp(_ post: NumberedPost) throws(StoreFault) -> NumberedPost {
    var post = post
    if post.namesActions { post.found = try found(for: post) }
    post.covers = try covers(for: post)
    return post
  }

  /// The covers for a post; `nil` if none of its actions says what its user saw.
  private func covers(for post: NumberedPost) throws(StoreFault) -> SeenCovers? {
    guard let seen = post.lowestSeen else { return nil }
    let session = try existing(post.session)
    let newest = session.state.revision
    let first = max(seen, newest - Self.mostEntries, try beginning(of: session.id))
    var found = SeenCovers(state: session.state)
    // A client cannot have seen a later revision, and the state before the first entry has no pages.
    guard first > 0, first < newest else { return found }
    var state = try past(of: session, at: first).state
    let entries: [JournalEntry]
    do {
      entries = try history.entries(of: session.id, after: first, limit: newest - first)
    } catch {
      throw StoreFault.reading(error)
    }
    for entry in entries {
      var next = state
      do {
        try StateFormat.apply(entry.difference, to: &next)
      } catch {
        throw .storage("session \(session.id): the difference of entry \(entry.entry.revision) cannot be read: \(error.reason)")
      }
      found.book.note(from: state, to: next, isOwn: entry.entry.stamp.sender?.client == post.client)
      state = next
    }
    return found
  }
}

extension NumberedPost {
  /// The lowest revision that the user saw when making one of the actions; `nil` if no action says it.
  fileprivate var lowestSeen: Int? { actions.compactMap(\.seen).min() }

  /// Whether the post needs something that only the history contains.
  func isLookedUp(in state: State) -> Bool {
    namesActions && !named(in: state).isEmpty || lowestSeen.map { $0 < state.revision } ?? false
  }
}
