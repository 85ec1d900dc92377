package import CairnRuntime

/// The other nodes of a journal: their changes, and the claims of tasks. Can be called on any thread.
package protocol ClusterJournal: Sendable {
  /// Whether other nodes may write to the database while it is open. If not, the states in memory are current.
  var isShared: Bool { get }
  /// The changes of all nodes after `cursor`, oldest first per session. If `cursor` is `nil`, the result contains the newest cursor and no
  /// changes, and `isLacking` is set.
  func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges
  /// Calls `wake` soon after another node has committed, on a thread of the journal. Some commits may cause no call, so the caller must
  /// also poll. Must be called once, before any read.
  func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError)
  /// Claims a task that one node performs for all nodes. `time` is the duration of the claim in milliseconds. Returns `false` if another
  /// node has claimed the task. With `takingOver`, the claim succeeds nevertheless, because the other node may have ended.
  func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool
  /// Stores a ticket by its hash, so that any node can accept it. `place` is the resource that the ticket opens. The ticket is valid until
  /// the time `until`. Both `until` and `now` are in milliseconds since 1970. Returns `false` if there are already `limit` unused tickets
  /// for the place. Only for journals that nodes share.
  func keepTicket(_ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int) throws(JournalError) -> Bool
  /// The content of an unused ticket; `nil` if no such ticket is stored for the place. Unless `isLook` is set, this call uses the ticket
  /// up, so only one of several nodes receives its content. Only for journals that nodes share.
  func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]?
}

extension ClusterJournal {
  /// Claims a task that no other node has claimed. Returns whether this node has the claim now.
  package func claim(_ task: BackgroundTask, for time: Int) throws(JournalError) -> Bool {
    try claim(task, for: time, takingOver: false)
  }

  package func changes(after cursor: ChangeCursor?) throws(JournalError) -> SessionChanges {
    SessionChanges([], cursor: cursor ?? ChangeCursor())
  }

  package func onChange(_ wake: @escaping @Sendable () -> Void) throws(ThreadError) {}

  package func claim(_ task: BackgroundTask, for time: Int, takingOver: Bool) throws(JournalError) -> Bool { true }

  package func keepTicket(
    _ hash: [UInt8], _ content: [UInt8], for place: String, until: Int, now: Int, limit: Int
  ) throws(JournalError) -> Bool { false }

  package func takeTicket(_ hash: [UInt8], for place: String, now: Int, isLook: Bool) throws(JournalError) -> [UInt8]? { nil }
}

/// The cluster of a journal that only one node uses. There are no changes of other nodes, and every claim succeeds.
package struct SingleNode: ClusterJournal {
  package let isShared = false

  package init() {}
}
