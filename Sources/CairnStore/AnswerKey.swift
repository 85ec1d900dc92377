/// Under what an answer of a session is kept.
package enum AnswerKey: Hashable, Sendable {
  /// The answer to its creation; there is at most one.
  case creation
  /// A request that named a key, or a message that named an id.
  case request(Fingerprint)
}
