import CairnCore

extension StoreParts {
  /// How many of a session's newest entries are searched for that of an action. It bounds the work of a request on the writer's thread.
  private static let searched = 2_000

  /// The nodes that a client's numbered action has created, by the session's entries: its response may have expired. `nil` if the action has no entry
  /// among the newest ones that are left.
  func created(by number: WideInt, of client: String, in session: Session) throws(StoreFault) -> [NodeID]? {
    let sender = Sender(client: client, number: number)
    let newest = session.state.revision
    let first = max(newest - Self.searched, try beginning(of: session.id))
    let found: [JournalEntry]
    do {
      found = try journal.entries(of: session.id, after: first, limit: newest - first).filter { $0.entry.stamp.sender == sender }
    } catch {
      throw StoreFault.reading(error)
    }
    // The state before the first entry that is left is not there.
    guard let start = found.first?.entry.revision, let end = found.last?.entry.revision, start > 1 else { return nil }
    let before = try past(of: session, at: start - 1).state.nextNode
    let after = try past(of: session, at: end).state.nextNode
    return (before..<max(before, after)).map { NodeID($0) }
  }
}
