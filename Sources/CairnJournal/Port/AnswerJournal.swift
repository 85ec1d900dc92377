/// The responses stored under clients' keys.
package protocol AnswerJournal: Sendable {
  /// The response stored under a key of a session, expired or not; `nil` if there is none, or if it is not among the newest
  /// `KeptAnswer.limit`. The response to a creation outlives its session, without its content.
  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer?
  /// The keys of a session under which responses are stored, expired or not, without the key of the creation.
  func keys(of session: String) throws(JournalError) -> [Fingerprint]
}
