/// The part of a journal that the writer's thread uses: it commits, and reads sessions and responses on the connection of its commits.
package protocol JournalWriter: SessionStates, AnswerJournal, EntryStaging {
  /// Writes a batch, and returns when it is on disk. The result contains the sessions whose changes could not be written or whose check
  /// failed, with the reasons; no change of these sessions is stored. If an error is thrown, no part of the batch is stored, except perhaps
  /// for `.uncertain`.
  @discardableResult func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError]
  /// Commits a small write, to determine whether the journal can be written again.
  func probe() throws(JournalError)
  /// Calls `body` while no other node can commit changes of the session. Throws without calling `body` if the session cannot be held, for example because
  /// another node holds it for too long. `body` may commit.
  func holding(_ session: String, _ body: () -> Void) throws(JournalError)
  /// Deletes some of the responses that have expired at `time`, in milliseconds since 1970. Returns the time at which to call this function
  /// again, or `nil` if no responses are left.
  func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int?
  /// Claims the effects that are due up to a time, in milliseconds since 1970, and that no running node has claimed. Returns their sessions with the due
  /// times, without reading states. A node need not claim the effects that its own commits begin.
  func claimEffects(until time: Int) throws(JournalError) -> [DueSession]
}

extension JournalWriter {
  /// Calls `body` immediately: without other nodes, a session need not be held.
  package func holding(_ session: String, _ body: () -> Void) throws(JournalError) { body() }
}
