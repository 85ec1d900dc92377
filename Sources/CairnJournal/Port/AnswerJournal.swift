/// The responses stored under clients' keys.
package protocol AnswerJournal: Sendable {
  /// The response stored under a key of a session, even if it has expired; `nil` if none is stored, or if it is not among the newest
  /// `KeptAnswer.limit`. The response to a creation outlives its session, but without its content.
  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer?
  /// The keys of a session under which responses are stored, even if these have expired. The key of the creation is not included.
  func keys(of session: String) throws(JournalError) -> [Fingerprint]
}
