import CairnRuntime

/// The newest committed sessions that were used last, as many as fit. The writer publishes here; readers look here first.
final class SessionCache: Sendable {
  /// A moment in a cache, to tell whether a session was published since.
  struct Mark: Sendable {
    fileprivate var slot: Int
    fileprivate var count: Int
  }

  private struct Contents {
    var recent: RecentlyUsed<String, Session>
    /// How often a session of this slot was published or removed: a reader's late find must not cover a newer state.
    var published = [Int](repeating: 0, count: 1_024)
  }

  private let contents: Lock<Contents>

  /// `limit`: bytes, by the sessions' own estimate.
  init(limit: Int) { contents = Lock(Contents(recent: RecentlyUsed(limit: limit))) }

  /// The session, if it is kept here. Any thread.
  func session(_ id: String) -> Session? { contents.withLock { $0.recent[id] } }

  /// The estimated bytes in the cache. Any thread.
  var weight: Int { contents.withLock { $0.recent.weight } }

  /// To be asked before a session is read from the journal. Any thread.
  func mark(_ id: String) -> Mark {
    contents.withLock { contents in
      let slot = Self.slot(id, in: contents)
      return Mark(slot: slot, count: contents.published[slot])
    }
  }

  /// Keeps a session that was read from the journal, unless it may be outdated by now. Any thread.
  func keep(_ session: Session, readAt mark: Mark) {
    contents.withLock { contents in
      guard contents.published[mark.slot] == mark.count else { return }
      contents.recent.keep(session, for: session.id, weight: session.weight)
    }
  }

  /// Publishes a commit: new states, and deleted sessions. Only for the writer.
  func publish(_ committed: [Staged]) {
    contents.withLock { contents in
      for staged in committed where staged.isGone || staged.isChanged {
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

  /// Sessions of which it is not known whether they are what the journal has. The writer's.
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
