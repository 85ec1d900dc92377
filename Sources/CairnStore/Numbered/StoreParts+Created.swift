import CairnCore

extension StoreParts {
  /// How many of a session's newest entries are searched for those of a client. It bounds the work of a request on the writer's thread.
  private static let searched = 2_000

  /// The entries of a client's numbered actions, among the newest ones of a session that are left.
  func entries(of client: String, in session: Session) throws(StoreFault) -> [JournalEntry] {
    let newest = session.state.revision
    let first = max(newest - Self.searched, try beginning(of: session.id))
    do {
      return try journal.entries(of: session.id, after: first, limit: newest - first).filter { $0.entry.stamp.sender?.client == client }
    } catch {
      throw StoreFault.reading(error)
    }
  }

  /// The nodes that an action has created, by the entries of its client: its response may have expired. `nil` if it has no entry there.
  func created(by number: WideInt, _ entries: [JournalEntry], in session: Session) throws(StoreFault) -> [NodeID]? {
    let found = entries.filter { $0.entry.stamp.sender?.number == number }
    // The state before the first entry that is left is not there.
    guard let start = found.first?.entry.revision, let end = found.last?.entry.revision, start > 1 else { return nil }
    let before = try past(of: session, at: start - 1).state.nextNode
    let after = try past(of: session, at: end).state.nextNode
    return (before..<max(before, after)).map { NodeID($0) }
  }
}
