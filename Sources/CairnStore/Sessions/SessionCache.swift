import CairnJournal
import CairnRuntime

/// A cache of newest committed sessions, limited by their estimated size. The writer publishes commits here, and readers use it before the journal.
final class SessionCache: Sendable {
  /// The state of the cache before a session was read. `keep` uses it to determine whether the session may have been published since.
  struct Mark: Sendable {
    fileprivate var slot: Int
    fileprivate var count: Int
  }

  private struct Contents {
    var recent: RecentlyUsed<String, Session>
    /// The number of times that sessions were published or removed, by a slot that follows from the hash of the id. Prevents a late read
    /// from replacing a newer state.
    var published = [Int](repeating: 0, count: 1_024)
  }

  private let contents: Lock<Contents>

  /// Creates a cache. `limit` is the maximum total of the sessions' estimated sizes in bytes.
  init(limit: Int) { contents = Lock(Contents(recent: RecentlyUsed(limit: limit))) }

  /// The session; `nil` if it is not in the cache. Can be called on any thread.
  func session(_ id: String) -> Session? { contents.withLock { $0.recent[id] } }

  /// The estimated size of the cached sessions in bytes. Can be called on any thread.
  var weight: Int { contents.withLock { $0.recent.weight } }

  /// Returns a mark for `keep`. Must be called before the session is read from the journal. Can be called on any thread.
  func mark(_ id: String) -> Mark {
    contents.withLock { contents in
      let slot = Self.slot(id, in: contents)
      return Mark(slot: slot, count: contents.published[slot])
    }
  }

  /// Adds a session that was read from the journal, unless it may be outdated by now. Can be called on any thread.
  func keep(_ session: Session, readAt mark: Mark) {
    contents.withLock { contents in
      guard contents.published[mark.slot] == mark.count else { return }
      contents.recent.keep(session, for: session.id, weight: session.weight)
    }
  }

  /// Publishes a commit: adds new states and removes deleted sessions. Must be called on the writer's thread.
  func publish(_ committed: [Staged]) {
    contents.withLock { contents in
      for staged in committed where staged.isGone || staged.changesReads {
        let id = staged.session.id
        contents.published[Self.slot(id, in: contents)] += 1
        if staged.isGone {
          contents.recent.forget(id)
        } else {
          contents.recent.keep(staged.session, for: id, weight: staged.session.weight)
        }
      }
    }
  }

  /// Removes sessions that may differ from the journal. Must be called on the writer's thread.
  func forget(_ ids: some Collection<String>) {
    contents.withLock { contents in
      for id in ids {
        contents.published[Self.slot(id, in: contents)] += 1
        contents.recent.forget(id)
      }
    }
  }

  private static func slot(_ id: String, in contents: Contents) -> Int {
    Int(UInt(bitPattern: id.hashValue) % UInt(contents.published.count))
  }
}
