/// The key of a stored response within one session.
package enum AnswerKey: Hashable, Sendable {
  /// The response to the session's creation. A session has at most one such response.
  case creation
  /// The response to a request with an idempotency key, or the mark of a processed message, which has no response.
  case request(Fingerprint)
}
