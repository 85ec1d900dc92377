package import CairnCore

/// The entries of sessions, and their earlier states. Can be called on any thread except the writer's.
package protocol EntryJournal: Sendable {
  /// The beginning of a session's journal; `nil` if no entries were forgotten, or if the session does not exist.
  func beginning(of id: String) throws(JournalError) -> JournalBeginning?
  /// The state of a session at a revision; `nil` if the session does not exist. Throws `.forgotten` if the revision is before the beginning. The number of
  /// reads is bounded and does not depend on the length of the session.
  func past(of id: String, at revision: Int) throws(JournalError) -> PastState?
  /// The entries with a revision above `after`, oldest first. Throws `.forgotten` if `after` is before the beginning. The number of rows read does not
  /// depend on their position.
  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry]
  /// The snapshots with revisions above `after` up to `last`, by revision. Throws `.unreadable` if a snapshot cannot be read.
  func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State]
}

extension EntryJournal {
  package func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State] { [:] }
}
