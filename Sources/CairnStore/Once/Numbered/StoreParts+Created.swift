import CairnCore
import CairnJournal

// Looks up the nodes that a client's earlier actions have created. Called on a reader's thread.
extension StoreParts {
  /// Maximum number of a session's newest entries that are searched for entries of a client.
  private static let searched = 2_000
  /// Maximum number of actions per request whose nodes are searched in the history because their stored responses have expired. An action
  /// that names a node of a further such action does not run.
  private static let mostSearches = 8

  /// Searches the history for the nodes that earlier actions have created, if a request refers to them and the actions' stored responses
  /// have expired. Returns the nodes by the action's number. The result contains neither actions whose response is stored nor actions
  /// beyond `mostSearches`.
  func found(for post: NumberedPost) throws(StoreFault) -> [WideInt: [NodeID]] {
    let session = try existing(post.session)
    var found: [WideInt: [NodeID]] = [:]
    // One search finds the entries of all numbers. It is not repeated for a number without an entry.
    var all: [JournalEntry]?
    for number in post.named(in: session.state) where found.count < Self.mostSearches {
      if let kept = try kept(.request(post.key(number)), of: session.id, in: answers), kept.content.status != 0 { continue }
      if all == nil { all = try entries(of: post.client, in: session) }
      found[number] = try created(by: number, all ?? [], in: session) ?? []
    }
    return found
  }

  /// The entries of a client's numbered actions, among the newest entries of a session that are not forgotten.
  private func entries(of client: String, in session: Session) throws(StoreFault) -> [JournalEntry] {
    let newest = session.state.revision
    let first = max(newest - Self.searched, try beginning(of: session.id))
    do {
      return try history.entries(of: session.id, after: first, limit: newest - first).filter { $0.entry.stamp.sender?.client == client }
    } catch {
      throw StoreFault.reading(error)
    }
  }

  /// The nodes that an action has created, according to the entries of its client; `nil` if none of the entries belongs to the action.
  private func created(by number: WideInt, _ entries: [JournalEntry], in session: Session) throws(StoreFault) -> [NodeID]? {
    let found = entries.filter { $0.entry.stamp.sender?.number == number }
    // The state before the first entry of the journal cannot be read.
    guard let start = found.first?.entry.revision, let end = found.last?.entry.revision, start > 1 else { return nil }
    let before = try past(of: session, at: start - 1).state.nextNode
    let after = try past(of: session, at: end).state.nextNode
    return CreatedNode.nodes(from: before, to: after)
  }
}
