package import CairnJournal

/// The response to a request with an idempotency key.
package struct GivenAnswer: Sendable {
  package var content: RenderedAnswer
  /// The time in milliseconds since 1970 at which the stored response expires.
  package var until: Int
  /// Whether the response is a repetition of a stored one.
  package var isReplay: Bool
  /// The outcome as a keyword for the log.
  package var word: String
  /// The result of the post that has run now; `nil` for a repetition, a refusal and a creation.
  package var posted: Posted?
}
